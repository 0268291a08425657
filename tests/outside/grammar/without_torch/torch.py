"""What XGrammar names of PyTorch when it is imported. Whether a grammar accepts a text is asked
without it.
"""


class Nothing:
    def __init__(self, *_, **__):
        pass

    def __getattr__(self, _):
        return Nothing()

    def __call__(self, *_, **__):
        return Nothing()


class Tensor:
    pass


class dtype:
    pass


class device:
    pass


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return Nothing()
