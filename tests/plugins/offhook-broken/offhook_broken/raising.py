from offhook.hooks import hookimpl


@hookimpl
def offhook_graders():
    raise ZeroDivisionError("graders cannot be counted")
