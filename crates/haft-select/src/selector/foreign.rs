//! A few everyday concepts in other languages, for queries over English definitions.
//!
//! A few frequent words for each language; nothing else is translated. Chinese, Japanese and Thai
//! have no spaces between words, so their words are searched for anywhere in the query.

/// The words to search for, in lower case, and the English words that definitions use.
const NOTIONS: [(&[&str], &[&str]); 34] = [
    (
        &[
            "天气",
            "天氣",
            "天気",
            "날씨",
            "อากาศ",
            "погод",
            "wetter",
            "météo",
            "el tiempo",
            "clima",
            "cuaca",
            "thời tiết",
        ],
        &["weather"],
    ),
    (
        &["预报", "予報", "예보", "прогноз", "pronóstico"],
        &["forecast"],
    ),
    (
        &["温度", "气温", "気温", "온도", "기온", "температур"],
        &["temperature"],
    ),
    (
        &[
            "新闻",
            "新聞",
            "ニュース",
            "뉴스",
            "ข่าว",
            "новост",
            "noticias",
            "nachrichten",
        ],
        &["news"],
    ),
    (
        &[
            "搜索",
            "检索",
            "查找",
            "検索",
            "探して",
            "검색",
            "찾아",
            "ค้นหา",
            "ช่วยหา",
            "найди",
            "buscar",
            "busca",
            "suche",
            "cherche",
        ],
        &["search"],
    ),
    (
        &["信息", "情報", "정보", "ข้อมูล", "информац", "información"],
        &["information"],
    ),
    (
        &["网上", "互联网", "인터넷", "インターネット"],
        &["web", "internet"],
    ),
    (&["播放", "再生", "재생", "틀어", "включи"], &["play"]),
    (
        &["音乐", "音樂", "音楽", "음악", "เพลง", "музык", "música"],
        &["music"],
    ),
    (&["歌曲", "노래", "песн", "canción"], &["song"]),
    (
        &["电影", "電影", "映画", "영화", "หนัง", "фильм", "película"],
        &["movie"],
    ),
    (
        &[
            "食谱",
            "菜谱",
            "レシピ",
            "레시피",
            "만드는 법",
            "요리",
            "рецепт",
            "receta",
        ],
        &["recipe", "cook"],
    ),
    (
        &[
            "餐厅",
            "餐館",
            "レストラン",
            "식당",
            "레스토랑",
            "ร้านอาหาร",
            "ресторан",
            "restaurante",
        ],
        &["restaurant"],
    ),
    (
        &[
            "点餐",
            "订餐",
            "外卖",
            "注文",
            "주문",
            "สั่ง",
            "закажи",
            "pedir",
        ],
        &["order", "food"],
    ),
    (
        &[
            "预订",
            "预定",
            "予約",
            "예약",
            "จอง",
            "заброни",
            "reservar",
            "buchen",
        ],
        &["book", "reserve"],
    ),
    (&["酒店", "ホテル", "호텔", "โรงแรม", "отел"], &["hotel"]),
    (
        &[
            "航班",
            "机票",
            "飛行機",
            "항공",
            "비행기",
            "เที่ยวบิน",
            "рейс",
            "vuelo",
        ],
        &["flight"],
    ),
    (&["火车", "電車", "기차", "поезд", "tren"], &["train"]),
    (
        &["打车", "出租车", "タクシー", "택시", "แท็กซี่", "такси"],
        &["taxi", "ride"],
    ),
    (&["工单", "チケット", "티켓", "билет"], &["ticket"]),
    (
        &["公司", "会社", "회사", "компани", "empresa"],
        &["company"],
    ),
    (&["股票", "株価", "주식", "주가", "หุ้น", "акци"], &["stock"]),
    (
        &["价格", "価格", "가격", "ราคา", "цен", "precio"],
        &["price"],
    ),
    (
        &["汇率", "為替", "환율", "курс валют"],
        &["exchange", "currency"],
    ),
    (
        &[
            "翻译",
            "翻訳",
            "번역",
            "แปล",
            "переведи",
            "traduc",
            "übersetz",
        ],
        &["translate"],
    ),
    (
        &[
            "邮件",
            "郵件",
            "メール",
            "이메일",
            "메일",
            "อีเมล",
            "почт",
            "correo",
        ],
        &["email", "send"],
    ),
    (
        &[
            "短信",
            "消息",
            "メッセージ",
            "메시지",
            "문자",
            "ข้อความ",
            "сообщени",
            "mensaje",
        ],
        &["message", "send"],
    ),
    (
        &[
            "提醒",
            "リマインド",
            "알림",
            "напомни",
            "recuérdame",
            "erinnere",
        ],
        &["reminder"],
    ),
    (
        &["闹钟", "アラーム", "알람", "будильник", "alarma"],
        &["alarm"],
    ),
    (
        &["日历", "日程", "カレンダー", "일정", "캘린더", "календар"],
        &["calendar", "event"],
    ),
    (&["地图", "地図", "지도", "แผนที่", "карт"], &["map"]),
    (
        &["空调", "エアコン", "에어컨", "แอร์", "кондиционер"],
        &["air", "conditioner", "appliance"],
    ),
    (
        &["打开", "つけて", "켜줘", "켜 줘", "เปิด"],
        &["turn", "control"],
    ),
    (
        &[
            "แม่บ้าน",
            "ทำความสะอาด",
            "รีดผ้า",
            "保洁",
            "家政",
            "청소",
            "掃除",
        ],
        &["cleaning", "service"],
    ),
];

/// Calls `each` with the English words for the concepts in a query. Pure ASCII counts as English.
pub(super) fn in_english(query: &str, mut each: impl FnMut(&'static str)) {
    if query.is_ascii() {
        return;
    }
    let query = query.to_lowercase();
    for (said, english) in NOTIONS {
        if said.iter().any(|word| query.contains(word)) {
            english.iter().copied().for_each(&mut each);
        }
    }
}

#[cfg(test)]
mod tests;
