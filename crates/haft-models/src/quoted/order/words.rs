//! Words that distinguish an order, a question and a prohibition: English, German, French, Spanish,
//! Italian and Chinese.
//!
//! The lists are closed; other words have no influence. Chinese has no spaces, so its words are
//! searched for in the text itself.

/// English verbs that ask for a call. They may be nouns, too ("the last run"), so they count only
/// at the beginning of an order.
pub(super) const RUN_ENGLISH: &[&str] =
    &["run|execute|call|invoke|perform|launch|trigger|start|do|use|apply|issue"];

/// Verbs for running something in other languages, whose forms are verbs in every position.
pub(in crate::quoted) const RUN: &[&str] = &[
    // German
    "führe|führ|ausführen|starte|starten|rufe|ruf|aufrufen|mach|mache|benutze|verwende|\
     nutze|nimm",
    // French
    "exécute|exécuter|exécutez|lancer|lancez|appelle|appeler|appelez|fais|faites|utilise|\
     utilisez|démarre|démarrez",
    // Spanish
    "ejecuta|ejecutar|ejecute|ejecutes|llama|llamar|llame|haz|haga|usa|lanza|lance|corre|\
     inicia",
    // Italian
    "esegui|eseguire|esegua|avvia|avviare|chiama|chiamare|lancia|fai|invoca",
];

/// Chinese verbs for running something.
pub(in crate::quoted) const RUN_SIGNS: &[&str] = &[
    "执行", "运行", "调用", "启动", "執行", "運行", "調用", "啟動", "使用",
];

/// Verbs that order an action.
pub(super) const ACT: &[&str] = &[
    // English
    "turn|switch|set|open|close|lock|unlock|stop|send|delete|remove|create|add|dim|play|\
     pause|show|list|get|fetch|find|look|search|check|read|write|tell|give|make|put|move|\
     copy|save|update|change|book|order|restart|reboot|enable|disable|activate|deactivate|\
     download|upload|install|remind|schedule|cancel|reset",
    // German
    "schalte|schalt|stell|stelle|öffne|schließe|schließ|sperre|sende|schicke|lösche|\
     entferne|erstelle|spiele|zeige|zeig|suche|such|hol|hole|lies|schreibe|gib|dimme",
    // French
    "allume|allumez|éteins|éteignez|ouvre|ouvrez|ferme|fermez|envoie|envoyez|supprime|\
     supprimez|crée|créez|cherche|cherchez|montre|règle|mets|affiche|donne",
    // Spanish
    "enciende|apaga|abre|cierra|envía|borra|elimina|crea|busca|muestra|pon|dame|reinicia",
    // Italian
    "accendi|spegni|apri|chiudi|invia|manda|cancella|elimina|crea|cerca|mostra|metti|dammi|\
     riavvia",
];

/// Chinese verbs for acting.
pub(super) const ACT_SIGNS: &[&str] = &[
    "打开", "关闭", "关掉", "设置", "发送", "删除", "创建", "播放", "查", "打開", "關閉", "帮我",
];

/// Words with which a sentence asks about something, or orders to process a text: what follows is
/// only mentioned.
pub(super) const ABOUT: &[&str] = &[
    // English
    "what|whats|why|how|which|who|whether|if|when|explain|describe|summarise|summarize|\
     translate|review|document|quote|example|mean|means|meaning|difference|should|happens|\
     says|said|wrote|suppose",
    // German
    "was|warum|wieso|wie|wer|welche|ob|wenn|falls|erkläre|erklär|beschreibe|übersetze|\
     beispiel|bedeutet|heißt|soll|sollte|passiert|fasse|zusammen",
    // French
    "que|quoi|pourquoi|comment|quel|quelle|si|quand|explique|expliquez|décris|résume|\
     résumez|traduis|exemple|signifie|veut",
    // Spanish
    "qué|cómo|cuál|cuando|cuándo|explica|explique|describe|resume|traduce|ejemplo|significa|\
     pasa|debería",
    // Italian
    "cosa|che|perché|come|quale|se|quando|spiega|descrivi|riassumi|traduci|esempio|vuol|\
     dovrei|succede",
];

/// Chinese words that ask about something.
pub(super) const ABOUT_SIGNS: &[&str] = &[
    "什么",
    "什麼",
    "为什么",
    "怎么",
    "怎麼",
    "如何",
    "解释",
    "解釋",
    "意思",
    "翻译",
    "翻譯",
    "总结",
    "總結",
    "例如",
    "如果",
    "是否",
];

/// Words that forbid.
pub(super) const NOT: &[&str] = &[
    "not|t|dont|never|without|no|avoid|nicht|kein|keine|keinen|nie|niemals|ne|pas|jamais|\
     sans|nunca|jamás|sin|non|mai|senza|cannot|refuse|ignore",
];

/// Chinese words that negate.
pub(super) const NOT_SIGNS: &[&str] = &["不要", "别", "別", "不", "勿", "禁止"];

/// Words that begin a polite order in the form of a question, the second after the first.
pub(super) const POLITE: &[(&[&str], &[&str])] = &[
    (&["can", "could", "would", "will"], &["you", "u"]),
    (&["kannst", "könntest", "würdest", "magst"], &["du"]),
    (&["können", "könnten", "würden"], &["sie"]),
    (&["peux", "pourrais", "veux"], &["tu"]),
    (&["pouvez", "pourriez", "voulez"], &["vous"]),
];

/// Words that turn a question into an order by themselves.
pub(super) const PLEASE: &[&str] = &[
    "please|pls|bitte|svp|plaît|favor|favore|puedes|podrías|puede|podría|puoi|potresti|può|\
     potrebbe",
];

/// Chinese words of a polite request.
pub(super) const PLEASE_SIGNS: &[&str] = &["请", "請", "帮我", "幫我", "能不能", "可以", "能"];

/// Subjects of sentences that do not order the model to act.
pub(super) const OTHERS: &[&str] = &[
    "i|we|they|he|she|it|who|user|users|admin|someone|people|ich|wir|er|man|jemand|je|nous|\
     il|elle|ils|elles|yo|nosotros|él|ella|io|noi|lui|lei|loro|to",
];

/// Words without meaning at the beginning of an order.
pub(super) const OPENING: &[&str] = &[
    "ok|okay|now|then|and|hey|hi|hello|so|just|also|please|pls|jetzt|und|dann|bitte|hallo|\
     et|puis|maintenant|y|luego|ahora|e|poi|ora|haft",
];

/// Whole messages that mean yes.
pub(super) const YES: &[&str] = &[
    "yes|yep|yeah|sure|ok|okay|go|ahead|do|it|please|continue|confirmed|confirm|again|ja|\
     gerne|klar|mach|das|weiter|genau|bitte|nochmal|oui|vas|y|continue|encore|sí|si|claro|\
     adelante|vale|hazlo|sì|certo|procedi|ancora|fallo|是|是的|好|好的|对|继|续|可|以|的|吧",
];
