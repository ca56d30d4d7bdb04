from offhook.hooks import hookimpl


@hookimpl
def offhook_call_finished(call):
    return None
