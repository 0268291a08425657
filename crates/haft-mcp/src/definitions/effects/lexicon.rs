//! The words by which the effects of tools are estimated: grave acts, changes, and reading, in the
//! languages that people use for names of tools.
//!
//! Words are listed as [`fold`](super::fold::fold) writes them, or folded when they are loaded.
//! Verbs of other alphabets are listed by their beginnings, because their endings vary.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::fold::fold;

/// The severity of a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sound {
    /// Does not contradict the server's hints.
    #[default]
    Quiet,
    /// Changes something, so the tool is not read-only.
    Changes,
    /// Grave: no hint makes it harmless.
    Grave,
}

/// The positions in a name in which a word counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Everywhere, except where records of it are read, as in `get_delete_log`.
    Always,
    /// As a verb: not after a word that reads.
    Verb,
    /// Also a noun: neither after a word that reads nor before a record, as in `order_list`.
    Noun,
    /// An event, also a noun: neither after a word that reads nor before an observation, as in
    /// `deploy_status`, but before anything that can be acted on, as in `drop_schema`.
    Event,
    /// Only as the first word.
    Head,
    /// Only as the last word, in names of an act without an object, as in `browser_evaluate`.
    Last,
}

/// The known properties of a word.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Word {
    pub(super) acts: Option<(Sound, Use)>,
    pub(super) reads: bool,
    pub(super) record: bool,
    pub(super) observation: bool,
    pub(super) joins: bool,
}

const GRAVE_ALWAYS: &str = "
    delete deletes destroy erase purge wipe kill pkill killall taskkill terminate shutdown poweroff
    powerdown reboot halt uninstall unlock disarm overwrite truncate exec execute eval spawn sudo rm
    rmdir rmrf rmtree unlink shred nuke remove deregister revoke unpublish rollback mkfs fdisk chmod
    chown obliterate eradicate expunge eliminate decommission deprovision impersonate exfiltrate
    detonate write send resend reformat reimage selfdestruct
    annihilate vaporize vaporise srm wipefs popen subprocess unlatch unbolt unfasten unbar
    ridof letin buzzin opensesame makepublic searchreplace
    uberweist ueberweist zahlt bezahlt kauft schreibt paie eteint ecrit achete transfiere escribe
    esegue spegne scrive acquista escreve
    deletion removal erasure destruction uninstallation
    losche loschen loescht loscht loesche loeschen entferne entfernen entfernt vernichte vernichten
    zerstore zerstoren zerstoere zerstoeren entsperre entsperren entriegeln entriegele aufschliessen
    ausfuhren ausfuehren herunterfahren neustarten uberschreiben ueberschreiben deinstalliere
    deinstallieren sende senden sendet verschicke verschicken uberweise uberweisen ueberweise
    ueberweisen zurucksetzen zuruecksetzen
    supprimer supprime supprimez reinitialiser reinitialise effacer efface effacez detruire detruit deverrouiller deverrouille
    executer eteindre redemarrer envoyer envoie envoyez ecraser desinstaller revoquer
    borrar borra eliminar elimina suprimir suprime destruir destruye desbloquear desbloquea ejecutar
    ejecuta reiniciar reinicia enviar envia sobrescribir desinstalar vaciar restablecer
    cancella cancellare eliminare rimuovi rimuovere distruggi distruggere sblocca sbloccare esegui
    eseguire spegni spegnere riavvia riavviare invia inviare sovrascrivi sovrascrivere svuota
    disinstalla disinstallare trasferisci trasferire
    apagar apaga excluir exclui deletar deleta remover destrancar executar executa desligar
    sobrescrever desinstalar
    verwijder verwijderen verwijdert wissen vernietig vernietigen ontgrendel ontgrendelen uitvoeren
    herstarten verstuur versturen verzend verzenden overschrijf overschrijven overmaken
    radera slett slette fjern fjerne skicka avinstallera
    usun usunac skasuj wyslij odblokuj zniszcz smazat smaz odstranit
    przelew wykonaj wylacz zrestartuj kapat suorita sammuta vymazat odeslat spustit vypnout kuld
    futtat kikapcsol trimite opreste jalankan matikan usunac
    sil silmek kaldir gonder sterge poista torles torol xoa hapus kirim
";

const GRAVE_VERBS: &str = "
    poke mutate mutation unregister revert dispense administer quarantine pay buy sell withdraw donate invest publish disable deactivate evict override bypass inject hack
    exploit attack ignite freeze suspend hibernate discard prune zap cleanup wipeout vacate burn stake
    unfriend rotate eject abort explode shoot vent preheat lockout dequeue nack cordon drain forget
    unfollow
    bezahle bezahlen kaufe kaufen bestelle bestellen schreibe schreiben abschalten ausschalten
    payer acheter ecrire enlever retirer vider deployer desplegar pagar paga comprar compra transferir escribir quitar
    zahle zahlen kup betala betal maksa zaplatit plateste fizet bayar pague virer
    scrivi scrivere escrever limpar comprare betaal betalen koop kopen schrijf schrijven uitschakelen
";

const GRAVE_EVENTS: &str = "
    transfer reset restart drop deploy redeploy shell bash powershell cmd purchase refund payout wire
    trade checkout charge flush flushall flushdb migrate undeploy repl interpreter ssh scp neustart virement zaplac sh zsh osascript applescript
    systemctl crontab terminal python kubectl uberweisung ueberweisung executor executer deleter
    remover eraser unlocker
";

const GRAVE_HEADS: &str = "del dd ban kick wis slet";

/// Verbs that may do anything if the name has no object.
const GRAVE_LASTS: &str = "
    evaluate evaluates do invoke graphql webhook curl";

const CHANGING_HEADS: &str = "
    accept decline confirm respond say skip complete remember memorize memorise";

/// Languages whose statements can both read and change data.
pub(super) const LANGUAGES: &str = "sql mysql plsql tsql cypher";

const CHANGING_VERBS: &str = "
    set create update add insert put upsert edit modify rename upload save append assign approve
    reject submit toggle enable activate subscribe unsubscribe invite install upgrade downgrade
    restore mint register enroll reply forward dial notify tweet broadcast grant unmute reschedule
    attach detach adjust increase decrease configure replace archive unarchive unpin enqueue
    allocate provision undelete click mkdir mv cp alter mount unmount logout
    mark unmark dismiss finalize finalise replay jog actuate energize steer snooze acknowledge ack
    umount ln unsend unarm unpair bump increment decrement speak announce drag wake ring initialize initialise
    init rerun relaunch reassign unassign promote demote escalate stash rebase unstage squash redeem
    hire populate unzip untar initiate upvote downvote
    erstelle erstellen andern aendern setze setzen speichern creer creez modifier ajouter crear crea
    modificar agregar guardar actualizar creare modificare aggiungi criar adicionar alterar salvar
    maak aanmaken wijzig wijzigen toevoegen skapa opret
";

const CHANGING_NOUNS: &str = "
    start turn switch post call play book order sign share copy move message mail email reserve
    vote comment follow fork print lock arm push merge commit sync schedule pin control trigger
    trash silence sms dm patch change store import touch block request export download clone star run link connect
    disconnect login signin signup dispatch rent
";

const CHANGING_EVENTS: &str = "
    stop cancel clear empty launch close pause resume apply mute dim raise lower swap fire navigate
    tap press fill flash refresh backup fly undo redo
";

const READING: &str = "
    get gets list lists ls show shows read reads find search count describe check view views fetch
    lookup look query browse inspect is has can was are does explain preview peek scan summarize
    summarise compare validate verify watch monitor track tracks tracking retrieve estimate calculate compute convert parse
    analyze analyse diff detect measure tail stat cat whoami help obtain select
    lese lesen lies zeige zeigen hole holen suche suchen liste auflisten anzeigen abrufen
    lire lis afficher affiche obtenir chercher lister rechercher voir
    leer lee obtener obten listar lista buscar busca mostrar muestra consultar consulta
    leggi leggere mostra mostrare cerca cercare elenca ottieni ler obter
    lees lezen toon tonen zoek zoeken lijst ophalen visa hamta hent vis
    получить покажи показать список найти читать прочитать
";

/// Objects that can only be observed.
const OBSERVATIONS: &str = "
    history status state states stats statistics count counts report reports info information detail
    details rate rates reason reasons time times date dates hours limit limits quota usage cost costs
    price prices fee fees type types id ids version versions size sizes metadata summary overview
    example examples docs documentation guide guides help notice preview level levels candidates
    trail audit protection definition definitions percentage percent ratio
";

/// Objects that can be acted on, as in `drop_schema`, but that also follow nouns, as in
/// `order_list`.
const RECORDS: &str = "
    log logs list lists policy policies schedule schedules queue queues request requests event events
    permission permissions access rule rules option options setting settings config configuration
    template templates method methods plan plans book entry entries schema
";

const JOINING: &str = "and then or plus und oder et puis ou y luego e poi dan en i и";

/// Other words in names, only needed to split compound words.
const PLAIN: &str = "
    all everything file files folder folders directory dir data database databases db table tables
    user users account accounts record records row rows item items mail mails message messages email
    emails money fund funds payment payments invoice invoices door doors gate garage drive drives
    disk disks volume partition now force forced off down command commands script scripts code
    program process processes server servers service services system device devices home house rf
    recursive permanently backup backups cache key keys token tokens secret secrets contact contacts
    calendar image images photo photos video videos page pages note notes task tasks project projects
    repo repos repository branch branches tag tags issue issues comments post posts channel channels
    weather deleted removed sent written locked unlocked executed killed erased wiped destroyed
    purged name names path url text value values index document documents collection collections
    object objects bucket buckets cluster node nodes light lights lamp alarm thermostat heating car
    firmware settings password passwords
    dataset datasets offset offsets preset presets subset charset markdown dropdown dropbox postcode
    setup bill bills app apps market markets notebook notebooks stopwatch playoff playoffs
";

/// Verbs that are grave only with one of their objects: `open_garage`, but not `open_page`.
pub(super) const PAIRS: [(&str, &str); 37] = [
    (
        "open opens raise lift offnet oeffnet sperrt apre oeffne offne oeffnen offnen ouvrir ouvre abrir abre apri aprire unseal",
        "garage door doors gate gates lock valve safe vault barrier shutter hatch trunk window windows
         blinds curtain curtains skylight sunroof sesame garagentor tor
         haustur haustuer auf tur tuer porte portail garaje puerta porta cancello garagem portao deur poort",
    ),
    (
        "format formats formatiere formatieren formater formatear formatar formatta formatteer",
        "drive drives disk disks disc volume partition sd usb hdd ssd card storage filesystem device
         laufwerk festplatte disque lecteur disco unidad schijf computer c",
    ),
    (
        "run runs start starts launch launches invoke call eval evaluate evaluates executes interpret
         compile ausfuhre lance lanza",
        "command commands cmd shell script scripts snippet code program binary exe bash python javascript
         js typescript lua ruby powershell sql cypher macro terminal lambda docker container mutation
         mutations befehl commande comando",
    ),
    (
        "eval evaluate evaluates",
        "page browser tab frame element handle console context kernel cell",
    ),
    ("query queries", "sql cypher mutation mutations"),
    ("perform performs do does", "action actions"),
    (
        "scale scales",
        "up down deployment service pod pods replicas cluster instance instances node nodes",
    ),
    ("flip flips", "switch breaker lever"),
    ("let lets admit admits buzz buzzes", "in visitor visitors guest guests"),
    ("take takes claim claims", "money cash funds reward rewards"),
    ("release releases", "lock brake latch hold funds payment"),
    ("schaltet", "aus ab an ein"),
    ("startet", "neu"),
    ("fuhrt fuehrt", "befehl befehle aus"),
    ("get gets", "rid"),
    ("make makes", "disappear vanish"),
    ("order orders", "food pizza groceries medicine taxi"),
    ("accept accepts decline declines", "invitation invite offer terms"),
    ("play plays", "music song songs playlist sound"),
    ("writer", "file files disk code"),
    ("transferrer", "money funds"),
    ("otworz buka deschide apri avaa abre", "drzwi garaz pintu garasi garaj usa autotalli garagem"),
    ("tag tags", "release"),
    (
        "respond responds",
        "event invitation invite email review",
    ),
    (
        "clear clears empty empties reset format",
        "all data database table tables disk history everything storage trash bin folder logs log",
    ),
    (
        "move moves wire wires send exchange exchanges",
        "money funds fund cash coins",
    ),
    (
        "off mute mutes silence silences stop stops unarm",
        "alarm alarms siren security camera cameras firewall antivirus",
    ),
    (
        "make makes perform performs process processes handle handles capture captures initiate
         initiates do place places",
        "payment payments purchase transaction transfer deposit donation order bid refund trade
         trades",
    ),
    ("factory", "default defaults restore settings"),
    ("flash flashes upload install", "firmware bios bootloader"),
    (
        "encrypt encrypts",
        "file files folder directory disk drive volume database",
    ),
    ("open opens", "app application program"),
    (
        "pull pulls build builds rebuild",
        "image images docker container project application package branch changes",
    ),
    (
        "resolve resolves transition transitions",
        "thread issue issues ticket tickets incident alert conflict comment",
    ),
    (
        "select selects choose pick",
        "option dropdown checkbox radio",
    ),
    ("type types enter enters handle", "into keyboard keystrokes dialog"),
    ("file files log logs", "complaint claim lawsuit food meal"),
];

/// Verbs that are harmless with one of their objects: they only compute or look something up, as in
/// `add_numbers` and `run_search`.
pub(super) const HARMLESS: [(&str, &str); 9] = [
    (
        "add adds replace replaces merge merges swap swaps adjust adjusts increment increments
         increase increases",
        "number numbers integer integers digit digits float floats decimal decimals fraction fractions
         vector vectors matrix matrices polynomial polynomials day days hour hours minute minutes
         week weeks month months year years date dates duration durations timedelta percentage
         percent string strings text substring character characters word words array arrays
         tuple tuples sum inflation",
    ),
    ("scale scales rotate rotates flip flips", "vector vectors matrix matrices array arrays string strings coin coins"),
    ("set sets", "union intersection difference complement"),
    ("order orders", "sort"),
    ("apply applies", "discount tax formula function filter"),
    (
        "eval evaluate evaluates",
        "expression expressions math arithmetic formula equation polynomial",
    ),
    (
        "run runs perform performs do does request requests initiate initiates",
        "search searches query queries report reports lookup analysis analyses regression simulation
         calculation calculations computation aggregation comparison forecast diagnostics inference check
         checks validation audit ttest scan survey",
    ),
    ("merge merges", "list lists sets"),
    ("change changes", "case"),
];

/// Places where values are stored: `add_text` computes, `add_text_to_file` does not.
pub(super) const KEPT: &str = "
    file files document documents doc record records database databases table tables row rows
    account accounts calendar calendars cell cells sheet sheets spreadsheet page pages issue issues repo
    repository note notes memory cart basket queue playlist contact contacts user users group groups
    channel config configuration settings balance budget clipboard device devices disk log logs
    todo book entry event events db";

/// Beginnings of words in other alphabets; text without spaces is searched for them as well.
const GRAVE_PARTS: &str = "
    删除 刪除 清空 格式化 执行 執行 运行命令 关机 關機 重启 重啟 转账 轉帳 付款 支付 发送 發送 解锁 解鎖
    写入 寫入 卸载 部署 销毁 覆盖 终止 购买 移除 重置 开车库 启车库 開鎖 开锁 开门 開門 发邮件 發郵件 关闭系统
    削除 消去 消す 初期化 実行 送信 解錠 再起動 送金 上書き 破棄 購入 書き込 シャットダウン ガレージ 支払
    삭제 제거 전송 실행 재부팅 초기화 송금 결제 보내기 차고
    удали удаля стереть сотри стира очисти уничтож выполни отправит отправь отправля перезагру выключи
    открыва оплачива выполня записыва покупа разблокир оплати заплат запусти гараж форматир перезапис видали надісла знищ
    διαγραφ διαγραψ حذف احذف امسح ارسل أرسل מחק שלח हटाए मिटाए ลบ
";

/// Parts of words that mean reading, in languages without spaces.
const READING_PARTS: &str = "
    获取 獲取 查询 查詢 查看 列出 读取 讀取 搜索 搜尋 查找 显示 顯示 获得 取得 検索 一覧 表示 読み取 閲覧
    状态 狀態 状況 天气 天氣 天気 预报 預報 予報 时间 時間 日期 조회 검색 목록 가져오 상태 날씨 시간 статус состояни получ покаж показ спис найти прочит чита
    погод время дата список пошук отрима
";

/// Parts of words that join two verbs, in languages without spaces.
const JOINING_PARTS: &str = "并 並 和 后 後 及 して そして 하고";

/// Whether the list contains this word.
pub(super) fn is_in(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

fn each(text: &'static str) -> impl Iterator<Item = String> {
    text.split_whitespace().map(fold)
}

pub(super) static WORDS: LazyLock<HashMap<String, Word>> = LazyLock::new(|| {
    let mut words: HashMap<String, Word> = HashMap::new();
    let acting = [
        (CHANGING_NOUNS, Sound::Changes, Use::Noun),
        (CHANGING_EVENTS, Sound::Changes, Use::Event),
        (CHANGING_VERBS, Sound::Changes, Use::Verb),
        (CHANGING_HEADS, Sound::Changes, Use::Head),
        (GRAVE_LASTS, Sound::Grave, Use::Last),
        (GRAVE_HEADS, Sound::Grave, Use::Head),
        (GRAVE_EVENTS, Sound::Grave, Use::Event),
        (GRAVE_VERBS, Sound::Grave, Use::Verb),
        (GRAVE_ALWAYS, Sound::Grave, Use::Always),
    ];
    for (list, sound, used) in acting {
        for word in each(list) {
            words.entry(word).or_default().acts = Some((sound, used));
        }
    }
    for word in each(READING) {
        words.entry(word).or_default().reads = true;
    }
    for word in each(RECORDS) {
        words.entry(word).or_default().record = true;
    }
    for word in each(OBSERVATIONS) {
        let word = words.entry(word).or_default();
        (word.record, word.observation) = (true, true);
    }
    for word in each(JOINING) {
        words.entry(word).or_default().joins = true;
    }
    let pairs = PAIRS.iter().chain(&HARMLESS);
    let pairs = pairs.flat_map(|(verbs, objects)| [*verbs, *objects]);
    for word in each(PLAIN).chain(pairs.flat_map(each)) {
        words.entry(word).or_default();
    }
    words
});

/// The parts of words in other alphabets.
pub(super) struct Parts {
    pub(super) grave: Vec<String>,
    pub(super) reading: Vec<String>,
    pub(super) joining: Vec<String>,
}

pub(super) static PARTS: LazyLock<Parts> = LazyLock::new(|| Parts {
    grave: each(GRAVE_PARTS).collect(),
    reading: each(READING_PARTS).collect(),
    joining: each(JOINING_PARTS).collect(),
});

/// Whether `verb` only computes with one of these objects.
pub(super) fn is_harmless(verb: &str, objects: &[String]) -> bool {
    HARMLESS.iter().any(|(verbs, things)| {
        is_in(verbs, verb) && objects.iter().any(|object| is_in(things, object))
    })
}
