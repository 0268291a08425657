//! The words that distinguish a question from a command.

use crate::english::one_of;

/// What questions begin with.
pub(super) fn is_wh(word: &str) -> bool {
    matches!(
        word,
        "what" | "which" | "who" | "whom" | "whose" | "where" | "when" | "why" | "how"
    )
}

/// Verbs that stand before their subject in a question.
pub(super) fn is_inverting(word: &str) -> bool {
    matches!(
        word,
        "is" | "are" | "am" | "was" | "were" | "does" | "do" | "did" | "has" | "will" | "should"
    )
}

/// What people tell a machine to do.
const ACTIONS: &str = "accept|activate|add|adjust|append|apply|archive|arm|assign|block|boil|book|brew\
    |brighten|buy|call|cancel|change|charge|clean|clear|close|configure|connect|cool|copy\
    |crank|create|cut|deactivate|decrease|delete|dial|dim|disable|disarm|disconnect|dismiss\
    |download|draft|drop|edit|email|empty|enable|end|erase|execute|feed|fill|flip|forward\
    |generate|heat|hire|increase|initialize|insert|install|invite|kill|launch|light|lock|log\
    |lower|make|mark|merge|message|move|mow|mute|open|order|pause|pay|place|play|post|power\
    |press|print|publish|purchase|put|raise|reboot|record|reduce|register|remind|remove|rename\
    |reply|request|reserve|reset|restart|resume|return|ring|run|save|schedule|send|set|share|shut\
    |skip|snooze|start|stop|submit|switch|terminate|text|toggle|transfer|translate|trigger\
    |turn|unlock|unmute|unpause|update|upload|vacuum|wake|warm|water|write";

/// True for a verb that people use to have something done.
pub(super) fn is_action(word: &str) -> bool {
    one_of(word, ACTIONS)
}
