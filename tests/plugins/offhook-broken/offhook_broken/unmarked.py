def offhook_graders():
    return []
