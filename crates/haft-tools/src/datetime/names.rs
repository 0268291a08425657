//! Place names that people use and that the time zone database does not contain.
//!
//! Names are written as they are displayed; case, accents, dots and "Saint" are ignored in a
//! lookup. A country or a state is listed here only if nearly all of it has one time zone; the
//! others are in [`SEVERAL_ZONES`].

/// An IANA zone and the names that stand for it, separated by `|`.
pub(super) const PLACES: &[(&str, &str)] = &[
    // North America.
    (
        "America/New_York",
        "New York City|NYC|NY|New York State|Manhattan|Brooklyn|Queens|Boston|Washington|Washington DC|DC|Philadelphia|\
         Miami|Atlanta|Orlando|Tampa|Jacksonville|Charlotte|Raleigh|Baltimore|Pittsburgh|Cleveland|\
         Columbus|Cincinnati|Buffalo|Florida|Massachusetts|Pennsylvania|New Jersey|Virginia|Ohio|\
         North Carolina|South Carolina|Connecticut|Maine|Maryland|Delaware|Vermont|New Hampshire|\
         Rhode Island|West Virginia|Cape Canaveral|Newark|Hartford|Richmond|Savannah|Portland Maine|\
         Eastern|Eastern Standard|Eastern Daylight|ET|EDT|US East Coast|East Coast",
    ),
    ("America/Detroit", "Michigan|Ann Arbor|Grand Rapids"),
    (
        "America/Chicago",
        "Texas|Houston|Dallas|Austin|San Antonio|Fort Worth|Minneapolis|St Louis|New Orleans|Nashville|\
         Memphis|Milwaukee|Kansas City|Oklahoma City|Tulsa|Omaha|Des Moines|Madison|Little Rock|\
         Birmingham Alabama|Illinois|Wisconsin|Minnesota|Iowa|Missouri|Arkansas|Louisiana|Mississippi|\
         Alabama|Oklahoma|Kansas|North Dakota|Paris Texas|Central|Central Standard|Central Daylight|CT|CST|CDT",
    ),
    (
        "America/Denver",
        "Colorado|Utah|Wyoming|Montana|New Mexico|Salt Lake City|Albuquerque|Santa Fe|Boulder|\
         Colorado Springs|El Paso|Mountain|Mountain Standard|Mountain Daylight|MT|MDT",
    ),
    (
        "America/Phoenix",
        "Arizona|Tucson|Scottsdale|Flagstaff|Grand Canyon",
    ),
    (
        "America/Los_Angeles",
        "LA|San Francisco|SF|California|San Diego|San Jose|Oakland|Sacramento|Fresno|Hollywood|\
         Silicon Valley|Palo Alto|Mountain View|Cupertino|Seattle|Redmond|Portland|Portland Oregon|Oregon|\
         Washington State|Nevada|Las Vegas|Vegas|Reno|Pacific|Pacific Standard|Pacific Daylight|PT|PST|PDT|\
         US West Coast|West Coast",
    ),
    ("America/Anchorage", "Alaska|Fairbanks|AKST|AKDT"),
    ("Pacific/Honolulu", "Hawaii|Maui|Waikiki|Oahu|Hilo"),
    (
        "America/Toronto",
        "Ottawa|Quebec|Quebec City|Ontario|Hamilton Ontario|London Ontario|Niagara Falls|Mississauga",
    ),
    ("America/Edmonton", "Calgary|Alberta|Banff|Jasper"),
    ("America/Winnipeg", "Manitoba"),
    ("America/Regina", "Saskatoon|Saskatchewan"),
    ("America/Vancouver", "British Columbia|Whistler|Victoria BC"),
    (
        "America/Halifax",
        "Nova Scotia|New Brunswick|Prince Edward Island|Atlantic|AST|ADT",
    ),
    ("America/St_Johns", "Newfoundland"),
    ("America/Whitehorse", "Yukon"),
    (
        "America/Mexico_City",
        "Guadalajara|Puebla|Acapulco|Oaxaca|CDMX",
    ),
    (
        "America/Cancun",
        "Playa del Carmen|Tulum|Cozumel|Quintana Roo",
    ),
    ("America/Mazatlan", "Cabo San Lucas|La Paz Mexico"),
    // Central America and the Caribbean.
    ("America/Puerto_Rico", "San Juan"),
    ("America/Jamaica", "Kingston"),
    ("America/Nassau", "Bahamas"),
    ("America/Havana", "Cuba"),
    ("America/Santo_Domingo", "Dominican Republic|Punta Cana"),
    ("America/Port-au-Prince", "Haiti"),
    (
        "America/Port_of_Spain",
        "Trinidad|Trinidad and Tobago|Tobago",
    ),
    ("America/Guatemala", "Guatemala City"),
    ("America/Tegucigalpa", "Honduras"),
    ("America/Managua", "Nicaragua"),
    ("America/El_Salvador", "San Salvador"),
    ("America/Panama", "Panama City"),
    ("America/Curacao", "Willemstad"),
    ("America/Barbados", "Bridgetown"),
    // South America.
    (
        "America/Sao_Paulo",
        "Rio|Rio de Janeiro|Brasilia|Belo Horizonte|Porto Alegre|Curitiba|Florianopolis|BRT",
    ),
    ("America/Bahia", "Salvador"),
    (
        "America/Argentina/Buenos_Aires",
        "Argentina|Buenos Aires|Rosario",
    ),
    ("America/Santiago", "Chile|Valparaiso"),
    ("America/Bogota", "Colombia|Medellin|Cali|Cartagena"),
    ("America/Lima", "Peru|Cusco|Machu Picchu"),
    ("America/Caracas", "Venezuela"),
    ("America/Guayaquil", "Ecuador|Quito"),
    ("America/La_Paz", "Bolivia|Sucre|Santa Cruz de la Sierra"),
    ("America/Asuncion", "Paraguay"),
    ("America/Montevideo", "Uruguay"),
    ("America/Guyana", "Georgetown"),
    ("America/Paramaribo", "Suriname"),
    ("America/Cayenne", "French Guiana"),
    ("Pacific/Galapagos", "Galapagos Islands"),
    ("Pacific/Easter", "Easter Island"),
    // Western Europe.
    (
        "Europe/London",
        "UK|United Kingdom|Great Britain|Britain|England|Scotland|Wales|Northern Ireland|Edinburgh|\
         Glasgow|Manchester|Liverpool|Birmingham|Leeds|Bristol|Cardiff|Oxford|Cambridge|Newcastle|\
         Sheffield|Aberdeen|Brighton|York|BST",
    ),
    ("Europe/Dublin", "Ireland|Cork|Galway|Limerick"),
    ("Europe/Lisbon", "Portugal|Lisboa|Porto|Faro|Coimbra"),
    (
        "Atlantic/Canary",
        "Canary Islands|Tenerife|Gran Canaria|Las Palmas|Lanzarote|Fuerteventura",
    ),
    (
        "Europe/Madrid",
        "Spain|Barcelona|Valencia|Seville|Sevilla|Malaga|Bilbao|Zaragoza|Granada|Mallorca|Majorca|Ibiza|Palma",
    ),
    (
        "Europe/Paris",
        "France|Marseille|Lyon|Nice|Toulouse|Bordeaux|Strasbourg|Lille|Nantes|Cannes|Montpellier|Corsica|CEST",
    ),
    (
        "Europe/Brussels",
        "Belgium|Bruxelles|Brussel|Antwerp|Ghent|Bruges|Liege|CET",
    ),
    (
        "Europe/Amsterdam",
        "Netherlands|Holland|Rotterdam|The Hague|Utrecht|Eindhoven|Den Haag",
    ),
    (
        "Europe/Berlin",
        "Germany|Deutschland|Munich|München|Muenchen|Hamburg|Frankfurt|Cologne|Köln|Koeln|Stuttgart|\
         Düsseldorf|Duesseldorf|Leipzig|Dresden|Hanover|Hannover|Nuremberg|Nürnberg|Bremen|Bonn|\
         Dortmund|Essen|Heidelberg|Freiburg",
    ),
    (
        "Europe/Zurich",
        "Switzerland|Geneva|Genf|Genève|Basel|Bern|Berne|Lausanne|Lucerne|Davos|Lugano",
    ),
    ("Europe/Vienna", "Austria|Wien|Salzburg|Innsbruck|Graz|Linz"),
    ("Europe/Luxembourg", "Luxemburg"),
    ("Europe/Vaduz", "Liechtenstein"),
    (
        "Europe/Rome",
        "Italy|Roma|Rom|Milan|Milano|Mailand|Naples|Napoli|Turin|Torino|Florence|Firenze|Venice|Venezia|Bologna|Genoa|Palermo|Sicily|\
         Verona|Pisa|Sardinia|Bari",
    ),
    ("Europe/Vatican", "Vatican City"),
    ("Europe/Malta", "Valletta"),
    // Northern, central and eastern Europe.
    (
        "Europe/Copenhagen",
        "Denmark|Aarhus|Odense|Kopenhagen|København",
    ),
    (
        "Europe/Stockholm",
        "Sweden|Gothenburg|Göteborg|Malmö|Uppsala",
    ),
    ("Europe/Oslo", "Norway|Bergen|Trondheim|Stavanger|Tromsø"),
    ("Arctic/Longyearbyen", "Svalbard|Spitsbergen"),
    (
        "Europe/Helsinki",
        "Finland|Tampere|Turku|Espoo|Rovaniemi|Lapland|EEST|EET",
    ),
    ("Atlantic/Reykjavik", "Iceland"),
    ("Atlantic/Faroe", "Faroe Islands"),
    ("Europe/Tallinn", "Estonia|Tartu"),
    ("Europe/Riga", "Latvia"),
    ("Europe/Vilnius", "Lithuania|Kaunas"),
    (
        "Europe/Warsaw",
        "Poland|Krakow|Cracow|Gdansk|Wroclaw|Poznan|Lodz|Warszawa|Warschau",
    ),
    (
        "Europe/Prague",
        "Czechia|Czech Republic|Brno|Praha|Prag|Ostrava|Pilsen",
    ),
    ("Europe/Bratislava", "Slovakia|Kosice"),
    ("Europe/Budapest", "Hungary|Debrecen"),
    ("Europe/Ljubljana", "Slovenia|Maribor"),
    ("Europe/Zagreb", "Croatia|Split|Dubrovnik"),
    ("Europe/Sarajevo", "Bosnia|Bosnia and Herzegovina"),
    ("Europe/Belgrade", "Serbia|Novi Sad|Kosovo|Pristina"),
    ("Europe/Podgorica", "Montenegro"),
    ("Europe/Skopje", "North Macedonia|Macedonia"),
    ("Europe/Tirane", "Albania|Tirana"),
    (
        "Europe/Athens",
        "Greece|Athen|Athina|Thessaloniki|Crete|Santorini|Rhodes|Patras|Mykonos",
    ),
    ("Europe/Sofia", "Bulgaria|Plovdiv|Varna"),
    ("Europe/Bucharest", "Romania|Cluj|Timisoara|Brasov|Bukarest"),
    ("Europe/Chisinau", "Moldova"),
    (
        "Europe/Kyiv",
        "Ukraine|Lviv|Odesa|Odessa|Kharkiv|Dnipro|Kiev",
    ),
    ("Europe/Minsk", "Belarus"),
    (
        "Europe/Moscow",
        "Moskva|Москва|St Petersburg|Sankt Petersburg|Sochi|Kazan|Moskau|MSK|Nizhny Novgorod",
    ),
    ("Asia/Yekaterinburg", "Chelyabinsk|Ufa|Perm"),
    (
        "Europe/Istanbul",
        "Turkey|Türkiye|Ankara|Izmir|Antalya|Constantinople|Bursa",
    ),
    ("Asia/Nicosia", "Cyprus|Limassol|Larnaca|Paphos"),
    // Africa.
    (
        "Africa/Cairo",
        "Egypt|Alexandria|Giza|Luxor|Sharm el Sheikh|Hurghada",
    ),
    (
        "Africa/Casablanca",
        "Morocco|Marrakesh|Marrakech|Rabat|Fez|Tangier|Agadir",
    ),
    ("Africa/Algiers", "Algeria|Oran"),
    ("Africa/Tunis", "Tunisia"),
    ("Africa/Tripoli", "Libya|Benghazi"),
    ("Africa/Khartoum", "Sudan"),
    ("Africa/Juba", "South Sudan"),
    ("Africa/Addis_Ababa", "Ethiopia"),
    ("Africa/Asmara", "Eritrea"),
    ("Africa/Mogadishu", "Somalia"),
    ("Africa/Nairobi", "Kenya|Mombasa|EAT"),
    ("Africa/Kampala", "Uganda|Entebbe"),
    ("Africa/Dar_es_Salaam", "Tanzania|Zanzibar|Dodoma|Arusha"),
    ("Africa/Kigali", "Rwanda"),
    ("Africa/Bujumbura", "Burundi"),
    ("Africa/Lagos", "Nigeria|Abuja|Kano|Ibadan"),
    ("Africa/Accra", "Ghana|Kumasi"),
    ("Africa/Abidjan", "Ivory Coast|Côte d'Ivoire|Yamoussoukro"),
    ("Africa/Dakar", "Senegal"),
    ("Africa/Bamako", "Mali"),
    ("Africa/Niamey", "Niger"),
    ("Africa/Ouagadougou", "Burkina Faso"),
    ("Africa/Conakry", "Guinea"),
    ("Africa/Freetown", "Sierra Leone"),
    ("Africa/Monrovia", "Liberia"),
    ("Africa/Lome", "Togo"),
    ("Africa/Porto-Novo", "Benin|Cotonou"),
    ("Africa/Banjul", "Gambia"),
    ("Africa/Nouakchott", "Mauritania"),
    ("Africa/Douala", "Cameroon|Yaounde"),
    ("Africa/Libreville", "Gabon"),
    ("Africa/Ndjamena", "Chad"),
    ("Africa/Bangui", "Central African Republic"),
    ("Africa/Brazzaville", "Republic of the Congo"),
    ("Africa/Luanda", "Angola"),
    ("Africa/Lusaka", "Zambia"),
    ("Africa/Harare", "Zimbabwe|Victoria Falls"),
    ("Africa/Blantyre", "Malawi|Lilongwe"),
    ("Africa/Maputo", "Mozambique"),
    ("Africa/Gaborone", "Botswana"),
    ("Africa/Windhoek", "Namibia"),
    (
        "Africa/Johannesburg",
        "South Africa|Cape Town|Durban|Pretoria|Kapstadt|SAST",
    ),
    ("Africa/Mbabane", "Eswatini|Swaziland"),
    ("Africa/Maseru", "Lesotho"),
    ("Indian/Antananarivo", "Madagascar"),
    ("Indian/Mahe", "Seychelles"),
    ("Indian/Maldives", "Male"),
    ("Indian/Mauritius", "Port Louis"),
    // The Middle East and central Asia.
    (
        "Asia/Dubai",
        "UAE|United Arab Emirates|Abu Dhabi|Sharjah|GST",
    ),
    ("Asia/Riyadh", "Saudi Arabia|Jeddah|Mecca|Medina|Dammam"),
    ("Asia/Qatar", "Doha"),
    ("Asia/Kuwait", "Kuwait City"),
    ("Asia/Bahrain", "Manama"),
    ("Asia/Muscat", "Oman"),
    ("Asia/Aden", "Yemen|Sanaa"),
    ("Asia/Baghdad", "Iraq|Basra|Erbil|Mosul"),
    ("Asia/Tehran", "Iran|Isfahan|Shiraz|Teheran|Mashhad"),
    ("Asia/Jerusalem", "Israel|Haifa|Eilat"),
    ("Asia/Hebron", "Palestine|Ramallah|West Bank"),
    ("Asia/Amman", "Jordan|Petra|Aqaba"),
    ("Asia/Beirut", "Lebanon"),
    ("Asia/Damascus", "Syria|Aleppo"),
    ("Asia/Tbilisi", "Batumi|Tiflis"),
    ("Asia/Yerevan", "Armenia"),
    ("Asia/Baku", "Azerbaijan"),
    ("Asia/Kabul", "Afghanistan|Kandahar|Herat"),
    ("Asia/Tashkent", "Uzbekistan|Bukhara"),
    ("Asia/Almaty", "Kazakhstan|Astana|Nur-Sultan|Shymkent"),
    ("Asia/Bishkek", "Kyrgyzstan"),
    ("Asia/Dushanbe", "Tajikistan"),
    ("Asia/Ashgabat", "Turkmenistan"),
    // South and east Asia.
    (
        "Asia/Kolkata",
        "India|Mumbai|Bombay|Delhi|New Delhi|Bangalore|Bengaluru|Chennai|Madras|Hyderabad|Pune|Goa|\
         Ahmedabad|Jaipur|Kerala|Kochi|Cochin|Lucknow|Agra|Varanasi|Surat|Nagpur|Chandigarh|IST",
    ),
    (
        "Asia/Karachi",
        "Pakistan|Lahore|Islamabad|Rawalpindi|Peshawar|Faisalabad|PKT",
    ),
    ("Asia/Dhaka", "Bangladesh|Chittagong"),
    ("Asia/Kathmandu", "Nepal|Pokhara|Everest|Mount Everest"),
    ("Asia/Thimphu", "Bhutan"),
    ("Asia/Colombo", "Sri Lanka|Kandy|Galle"),
    ("Asia/Yangon", "Myanmar|Burma|Mandalay"),
    (
        "Asia/Bangkok",
        "Thailand|Phuket|Chiang Mai|Pattaya|Koh Samui",
    ),
    ("Asia/Vientiane", "Laos|Luang Prabang"),
    ("Asia/Phnom_Penh", "Cambodia|Siem Reap|Angkor Wat"),
    (
        "Asia/Ho_Chi_Minh",
        "Vietnam|Hanoi|Ho Chi Minh City|Da Nang|Hue",
    ),
    ("Asia/Kuala_Lumpur", "Malaysia|Penang|KL|Johor Bahru"),
    ("Asia/Brunei", "Bandar Seri Begawan"),
    ("Asia/Manila", "Philippines|Cebu|Davao|Quezon City|Boracay"),
    (
        "Asia/Jakarta",
        "Java|Bandung|Surabaya|Yogyakarta|Sumatra|Medan|WIB",
    ),
    ("Asia/Makassar", "Bali|Denpasar|Sulawesi|Lombok"),
    ("Asia/Dili", "East Timor|Timor-Leste"),
    (
        "Asia/Shanghai",
        "China|Beijing|Peking|北京|Shenzhen|Guangzhou|Canton|Chengdu|Wuhan|Hangzhou|Nanjing|Xian|Tianjin|\
         Suzhou|Qingdao|Dalian|Lhasa|Tibet",
    ),
    ("Asia/Hong_Kong", "HK|HKT|Kowloon"),
    ("Asia/Singapore", "Singapur|SGT"),
    ("Asia/Taipei", "Taiwan|Kaohsiung|Taichung"),
    (
        "Asia/Tokyo",
        "Japan|Osaka|Kyoto|Yokohama|Nagoya|Sapporo|Kobe|Fukuoka|Hiroshima|Nagasaki|Okinawa|Sendai|Nara|\
         Hokkaido|Tokio|東京|Mount Fuji|JST",
    ),
    (
        "Asia/Seoul",
        "South Korea|Korea|Busan|Incheon|Daegu|Jeju|KST",
    ),
    ("Asia/Pyongyang", "North Korea"),
    // Oceania.
    (
        "Australia/Sydney",
        "New South Wales|NSW|Canberra|Newcastle Australia|Wollongong|AEST|AEDT|AET",
    ),
    ("Australia/Melbourne", "Geelong|Ballarat"),
    (
        "Australia/Brisbane",
        "Gold Coast|Cairns|Townsville|Sunshine Coast|Great Barrier Reef",
    ),
    (
        "Australia/Darwin",
        "Northern Territory|Alice Springs|Uluru|ACST",
    ),
    ("Australia/Adelaide", "South Australia"),
    ("Australia/Perth", "Western Australia|Fremantle|AWST"),
    (
        "Pacific/Auckland",
        "New Zealand|Wellington|Christchurch|Queenstown|Dunedin|Hamilton New Zealand|Rotorua|NZST|NZDT",
    ),
    ("Pacific/Fiji", "Suva|Nadi"),
    ("Pacific/Port_Moresby", "Papua New Guinea|PNG"),
    ("Pacific/Tahiti", "Bora Bora|Papeete"),
    ("Pacific/Noumea", "New Caledonia"),
    ("Pacific/Apia", "Samoa"),
    ("Pacific/Pago_Pago", "American Samoa"),
    ("Pacific/Tongatapu", "Tonga|Nuku'alofa"),
    ("Pacific/Efate", "Vanuatu|Port Vila"),
    ("Pacific/Guadalcanal", "Solomon Islands|Honiara"),
    ("Pacific/Rarotonga", "Cook Islands"),
    ("Pacific/Funafuti", "Tuvalu"),
    ("Pacific/Majuro", "Marshall Islands"),
    ("Antarctica/McMurdo", "McMurdo Station"),
    ("UTC", "Zulu|Coordinated Universal|Universal"),
    ("GMT", "Greenwich Mean|Greenwich"),
];

/// Places with several time zones: their names, the first of which is displayed, and cities to
/// offer.
pub(super) const SEVERAL_ZONES: &[(&str, &str)] = &[
    (
        "The USA|US|USA|U.S.|U.S.A.|United States|United States of America|America|the States",
        "New York, Chicago, Denver or Los Angeles",
    ),
    ("Canada", "Toronto, Winnipeg, Edmonton or Vancouver"),
    ("Mexico", "Mexico City, Cancun or Tijuana"),
    ("Brazil|Brasil", "São Paulo, Manaus or Rio Branco"),
    (
        "Russia|Russian Federation",
        "Moscow, Novosibirsk or Vladivostok",
    ),
    ("Siberia", "Novosibirsk, Irkutsk or Yakutsk"),
    ("Australia", "Sydney, Adelaide or Perth"),
    ("Indonesia", "Jakarta, Makassar or Jayapura"),
    ("Mongolia", "Ulaanbaatar or Hovd"),
    (
        "Congo|DR Congo|DRC|Democratic Republic of the Congo",
        "Kinshasa or Lubumbashi",
    ),
    ("Greenland", "Nuuk or Thule"),
    ("Kiribati", "Tarawa or Kiritimati"),
    ("Micronesia", "Chuuk or Pohnpei"),
    ("French Polynesia", "Tahiti or Marquesas"),
    ("Antarctica", "McMurdo, Vostok or Troll"),
    ("Georgia", "Tbilisi or Atlanta"),
    (
        "Tennessee",
        "Nashville or Knoxville, or say Central time or Eastern time",
    ),
    ("Kentucky", "Louisville, or say Central time"),
    ("Indiana", "Indianapolis or Tell City"),
    ("Idaho", "Boise, or say Pacific time"),
    ("Nebraska", "Omaha, or say Mountain time"),
    (
        "South Dakota",
        "Chicago or Denver, whose time its east and its west keep",
    ),
    ("Europe", "London, Berlin or Athens"),
    ("Africa", "Lagos, Johannesburg or Nairobi"),
    ("Asia", "Dubai, Singapore or Tokyo"),
    ("South America", "Lima or Buenos Aires"),
    ("North America", "New York or Los Angeles"),
];
