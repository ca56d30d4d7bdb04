from offhook.hooks import CommandSpec, hookimpl


@hookimpl
def offhook_commands():
    return [CommandSpec("broken", "A command that cannot be imported.", "offhook_broken.no_such:command")]
