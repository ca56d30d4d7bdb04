from offhook.hooks import hookimpl


@hookimpl
async def offhook_graders():
    return []
