"""What XGrammar names of transformers when it is imported."""


class LogitsProcessor:
    pass


class PreTrainedTokenizerBase:
    pass


class PreTrainedTokenizerFast:
    pass
