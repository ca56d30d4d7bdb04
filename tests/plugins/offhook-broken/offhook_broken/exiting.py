import sys

sys.exit("this plugin leaves")
