//! Words: what the replies say and what their arguments hold, and long texts without a call.

use fastrand::Rng;

const SEED: u64 = 7;

pub const CITIES: &[&str] = &[
    "Oslo",
    "São Paulo",
    "杭州",
    "Saint-Étienne",
    "New York",
    "東京",
    "Zürich",
    "Reykjavík",
];

pub const PEOPLE: &[&str] = &[
    "mira@example.org",
    "王小明",
    "Dr. O'Neill",
    "team-hausmeister",
    "José \"Pepe\" Álvarez",
];

pub const MESSAGES: &[&str] = &[
    "The train is 20 minutes late; please start without me.\nI will call from the station. 🚆",
    "He said \"not before noon\", so let us meet at 12:15 in front of the library instead.",
    "会议改到明天上午十点，请带上最新的报告。谢谢！🙏",
    "Grüße aus Köln! Das Paket ist da: C:\\Users\\lena\\Downloads\\paket.pdf",
    "Shopping list:\n- 2 kg potatoes\n- milk & butter\n- something sweet 🍰\nAnything else?",
];

pub const QUERIES: &[&str] = &[
    "invoice AND (2025 OR 2026)",
    "fn parse(&self) -> Result<T>",
    "配置 文件",
    "\"exact words\"",
];

pub const PATHS: &[&str] = &[
    "/home/ada/projects/weaver/src",
    "C:\\work\\archive\\2026",
    "~/Dokumente/Bücher",
    "./notes",
];

pub const LIGHTS: &[&str] = &[
    "light.living_room_ceiling",
    "light.küche",
    "light.desk_lamp_left",
    "light.寝室",
];

pub const TITLES: &[&str] = &[
    "Quarterly review: what went well, what did not",
    "生日晚餐 🎂",
    "Dentist (bring the card!)",
    "Interview with Ms. Ngũgĩ, second round",
];

pub const ROOMS: &[&str] = &["B 204", "会议室三", "Atrium / west", "online"];

pub const SOURCES: &[&str] = &[
    "total = 0\nfor row in rows:\n    if row[\"kind\"] == 'sale' and row[\"sum\"] > 10:\n        total += row[\"sum\"]\nprint(f\"total: {total:.2f}\")",
    "import re\nprint(re.findall(r'\\d+\\s*(?:€|EUR)', text))  # prices only",
    "values = [x * x for x in range(10) if x % 3]\nassert sum(values) < 500, \"too much\"",
];

const INTRODUCTIONS: &[&str] = &[
    "Sure, let me take care of that for you right away.",
    "I'll check two things first: the place you named, and the time. ⏱️",
    "好的，我来帮你查一下，请稍等。",
    "That needs a look at the live data, because what I know may be out of date by now.",
    "Okay! 👍 Here is what I am going to do: first the one, then the other.",
    "Natürlich – das erledige ich gern für Sie.",
    "You asked for \"everything since Monday\", so I start there & narrow it down afterwards.",
    "Let me see whether a < b holds here; if not, I will say so plainly.",
];

const SENTENCES: &[&str] = &[
    "The harbour was quiet that morning, and the boats lay in two rows along the wall.",
    "Most of what we call memory is work: each time it is told, a story is made anew.",
    "Water boils at a lower temperature on a mountain, which is why rice takes longer there.",
    "She counted the steps (forty-one), and wondered who had worn the middle of each so thin.",
    "In 1911 the town had three bakers; by 1950, one; today the bread comes by lorry.",
    "Prices rose by 4.5 % in March, fell again in April, and have hardly moved since.",
    "If you only remember one thing, remember this: measure first, then change one thing.",
    "The answer is no, although it's a friendlier no than it was a year ago.",
    "Birds do not get lost in fog as often as one would think; they wait it out.",
    "It depends on the soil: clay holds water for days, sand lets it go within the hour.",
];

const CHINESE: &[&str] = &[
    "清晨的港口很安静，船只沿着堤岸排成两行。",
    "我们所说的记忆，其实是一种劳动：每讲一次，故事就重新诞生一次。",
    "山上的水在较低的温度下沸腾，所以煮饭需要更长的时间。",
    "三月的价格上涨了百分之四点五，四月又回落，此后几乎没有变化。",
    "如果只能记住一件事，那就记住：先测量，再改变。",
    "東京では昨日から雨が降り続いていますが、週末には晴れる見込みです。",
];

const BLOCKS: &[&str] = &[
    "## What to look at first\n\n",
    "- **Speed**: how long one request takes, and how that changes under load.\n- *Size*: of the binary, and of what it keeps in memory.\n- Care: see [the guide](https://example.org/guide#care).\n\n",
    "```rust\nfn main() {\n    let names: Vec<&str> = vec![\"ada\", \"grace\"];\n    for (at, name) in names.iter().enumerate() {\n        println!(\"{at}: {name}\");\n    }\n}\n```\n\n",
    "| City | Days | Mean |\n|------|-----:|-----:|\n| Oslo | 12 | 3.5 |\n| Bergen | 19 | 5.1 |\n\n",
    "> Use `a < b && c > d` with care, and never write `list[0]` without a check.\n\n",
    "1. Open the file and read its first line.\n2. If it starts with `#`, skip it.\n3. Else split it at each comma: `line.split(',')`.\n\n",
    "```json\n{\"kind\": \"example\", \"items\": [1, 2, 3], \"nested\": {\"deep\": true}}\n```\n\n",
];

/// What a reply says before its calls.
pub fn introduction(random: &mut Rng) -> String {
    let mut text = String::new();
    for _ in 0..random.usize(1..=3) {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(random.choice(INTRODUCTIONS).copied().unwrap_or_default());
    }
    text
}

/// English paragraphs, `bytes` long.
pub fn plain(bytes: usize) -> String {
    paragraphs(bytes, SENTENCES, &[])
}

/// English Markdown with headings, lists, tables and code.
pub fn markdown(bytes: usize) -> String {
    paragraphs(bytes, SENTENCES, BLOCKS)
}

/// Chinese and Japanese paragraphs.
pub fn chinese(bytes: usize) -> String {
    paragraphs(bytes, CHINESE, &[])
}

fn paragraphs(bytes: usize, sentences: &[&str], blocks: &[&str]) -> String {
    let mut random = Rng::with_seed(SEED);
    let mut text = String::with_capacity(bytes + 1024);
    while text.len() < bytes {
        for _ in 0..random.usize(2..=5) {
            text.push_str(random.choice(sentences).copied().unwrap_or_default());
            text.push(' ');
        }
        text.push_str("\n\n");
        text.push_str(random.choice(blocks).copied().unwrap_or_default());
    }
    text.truncate(text.floor_char_boundary(bytes));
    text
}
