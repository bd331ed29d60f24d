"""The one exception that a user is meant to see."""


class UserError(Exception):
    """Bad input or surroundings, as one sentence: what, where, what to do.

    The command prints the sentence without a traceback and exits with ``exit_code``.
    """

    def __init__(self, message: str, exit_code: int = 2) -> None:
        super().__init__(message)
        self.exit_code = exit_code
