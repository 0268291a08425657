//! Amounts in other units, by plain arithmetic.
//!
//! The factors are exact by definition (the international yard and pound, NIST Special Publication
//! 811), those of gallons, pints and cups the customary ones of the United States. What is rounded
//! in an answer is said to be "about" that much. How a question is read stands in
//! `grammar/conversion.rs`.

use haft_select::english::one_of;

/// An amount that is wanted in another unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Conversion {
    pub(crate) value: f64,
    pub(crate) from: Unit,
    pub(crate) to: Unit,
}

/// What a unit measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quantity {
    Length,
    Area,
    Volume,
    Mass,
    Speed,
    Time,
    Temperature,
}

/// A unit of measurement.
#[derive(Debug, PartialEq)]
struct Definition {
    quantity: Quantity,
    /// How it is written and said, separated by `|`; several words with a space between them.
    names: &'static str,
    one: &'static str,
    several: &'static str,
    /// How many of the quantity's basic unit it is.
    factor: f64,
    /// Where its zero lies, in the basic unit.
    zero: f64,
}

/// A unit that people name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Unit(&'static Definition);

const fn unit(
    quantity: Quantity,
    names: &'static str,
    words: [&'static str; 2],
    factor: f64,
) -> Definition {
    let [one, several] = words;
    Definition {
        quantity,
        names,
        one,
        several,
        factor,
        zero: 0.0,
    }
}

use Quantity::{Area, Length, Mass, Speed, Temperature, Time, Volume};

#[rustfmt::skip]
static UNITS: [Definition; 47] = [
    unit(Length, "mm|millimeter|millimeters|millimetre|millimetres", ["millimeter", "millimeters"], 0.001),
    unit(Length, "cm|centimeter|centimeters|centimetre|centimetres", ["centimeter", "centimeters"], 0.01),
    unit(Length, "m|meter|meters|metre|metres", ["meter", "meters"], 1.0),
    unit(Length, "km|kms|kilometer|kilometers|kilometre|kilometres", ["kilometer", "kilometers"], 1000.0),
    unit(Length, "inch|inches", ["inch", "inches"], 0.0254),
    unit(Length, "foot|feet|ft", ["foot", "feet"], 0.3048),
    unit(Length, "yard|yards|yd|yds", ["yard", "yards"], 0.9144),
    unit(Length, "mile|miles|mi", ["mile", "miles"], 1609.344),
    unit(Length, "nautical mile|nautical miles|nmi", ["nautical mile", "nautical miles"], 1852.0),
    unit(Area, "m²|m2|square meter|square meters|square metre|square metres", ["square meter", "square meters"], 1.0),
    unit(Area, "km²|km2|square kilometer|square kilometers|square kilometre|square kilometres", ["square kilometer", "square kilometers"], 1e6),
    unit(Area, "ft²|ft2|square foot|square feet", ["square foot", "square feet"], 0.092_903_04),
    unit(Area, "square mile|square miles", ["square mile", "square miles"], 2_589_988.110_336),
    unit(Area, "acre|acres", ["acre", "acres"], 4_046.856_422_4),
    unit(Area, "ha|hectare|hectares", ["hectare", "hectares"], 10_000.0),
    unit(Volume, "ml|milliliter|milliliters|millilitre|millilitres", ["milliliter", "milliliters"], 0.001),
    unit(Volume, "cl|centiliter|centiliters|centilitre|centilitres", ["centiliter", "centiliters"], 0.01),
    unit(Volume, "dl|deciliter|deciliters|decilitre|decilitres", ["deciliter", "deciliters"], 0.1),
    unit(Volume, "l|liter|liters|litre|litres", ["liter", "liters"], 1.0),
    unit(Volume, "cubic meter|cubic meters|cubic metre|cubic metres|m³|m3", ["cubic meter", "cubic meters"], 1000.0),
    unit(Volume, "teaspoon|teaspoons|tsp", ["US teaspoon", "US teaspoons"], 0.004_928_921_593_75),
    unit(Volume, "tablespoon|tablespoons|tbsp", ["US tablespoon", "US tablespoons"], 0.014_786_764_781_25),
    unit(Volume, "fluid ounce|fluid ounces|fl oz|ounce|ounces|oz", ["US fluid ounce", "US fluid ounces"], 0.029_573_529_562_5),
    unit(Volume, "cup|cups", ["US cup", "US cups"], 0.236_588_236_5),
    unit(Volume, "pint|pints", ["US pint", "US pints"], 0.473_176_473),
    unit(Volume, "quart|quarts", ["US quart", "US quarts"], 0.946_352_946),
    unit(Volume, "gallon|gallons|gal", ["US gallon", "US gallons"], 3.785_411_784),
    unit(Mass, "mg|milligram|milligrams", ["milligram", "milligrams"], 1e-6),
    unit(Mass, "g|gram|grams|gramme|grammes", ["gram", "grams"], 0.001),
    unit(Mass, "kg|kgs|kilo|kilos|kilogram|kilograms", ["kilogram", "kilograms"], 1.0),
    unit(Mass, "tonne|tonnes|metric ton|metric tons", ["tonne", "tonnes"], 1000.0),
    unit(Mass, "ounce|ounces|oz", ["ounce", "ounces"], 0.028_349_523_125),
    unit(Mass, "pound|pounds|lb|lbs", ["pound", "pounds"], 0.453_592_37),
    unit(Mass, "stone|stones", ["stone", "stone"], 6.350_293_18),
    unit(Speed, "m/s|meters per second|metres per second", ["meter per second", "meters per second"], 1.0),
    unit(Speed, "km/h|kmh|kph|kilometers per hour|kilometres per hour", ["kilometer per hour", "kilometers per hour"], 1.0 / 3.6),
    unit(Speed, "mph|miles per hour", ["mile per hour", "miles per hour"], 0.447_04),
    unit(Speed, "knot|knots", ["knot", "knots"], 1852.0 / 3600.0),
    unit(Time, "second|seconds|sec|secs", ["second", "seconds"], 1.0),
    unit(Time, "minute|minutes|min|mins", ["minute", "minutes"], 60.0),
    unit(Time, "hour|hours|hr|hrs", ["hour", "hours"], 3600.0),
    unit(Time, "day|days", ["day", "days"], 86_400.0),
    unit(Time, "week|weeks", ["week", "weeks"], 604_800.0),
    unit(Time, "fortnight|fortnights", ["fortnight", "fortnights"], 1_209_600.0),
    Definition { quantity: Temperature, names: "celsius|centigrade|c|°c|degrees celsius|degree celsius|degrees centigrade|degrees c|° celsius", one: "°C", several: "°C", factor: 1.0, zero: 273.15 },
    Definition { quantity: Temperature, names: "fahrenheit|f|°f|degrees fahrenheit|degree fahrenheit|degrees f|° fahrenheit", one: "°F", several: "°F", factor: 5.0 / 9.0, zero: 273.15 - 32.0 * 5.0 / 9.0 },
    Definition { quantity: Temperature, names: "kelvin|kelvins|k", one: "K", several: "K", factor: 1.0, zero: 0.0 },
];

/// The units that `name`, in lower case, may mean: an ounce is a weight, or a volume.
pub(crate) fn units(name: &str) -> impl Iterator<Item = Unit> + '_ {
    let known = UNITS.iter().filter(move |unit| one_of(name, unit.names));
    known.map(Unit)
}

/// Of the units that each name may mean, the two that can be compared; else the first of each.
pub(crate) fn pair(from: &str, to: &str) -> Option<(Unit, Unit)> {
    let pairs = || units(from).flat_map(|from| units(to).map(move |to| (from, to)));
    let same = pairs().find(|(from, to)| from.0.quantity == to.0.quantity);
    same.or_else(|| pairs().next())
}

impl Conversion {
    /// The answer; an error is the sentence that says why there is none.
    pub(crate) fn sentence(&self) -> Result<String, String> {
        let (from, to) = (self.from.0, self.to.0);
        if from.quantity != to.quantity {
            return Err(format!(
                "{} and {} do not measure the same, so one cannot be converted into the other.",
                capital(from.several),
                to.several
            ));
        }
        let base = self.value * from.factor + from.zero;
        let is_impossible = match from.quantity {
            Temperature => base < -1e-9,
            _ => self.value < 0.0,
        };
        if is_impossible {
            return Err(format!(
                "There is no such amount as {}.",
                said(self.value, from)
            ));
        }
        let result = (base - to.zero) / to.factor;
        let rounded = rounded(result);
        let is_exact = (rounded - result).abs() <= result.abs() * 1e-12;
        let about = if is_exact { "" } else { "about " };
        let verb = match from.quantity {
            Temperature => "is",
            _ if is_one(self.value) => "is",
            _ => "are",
        };
        Ok(format!(
            "{} {verb} {about}{}.",
            said(self.value, from),
            said(rounded, to)
        ))
    }
}

fn is_one(value: f64) -> bool {
    (value - 1.0).abs() < 1e-12
}

/// "5 kilometers"
fn said(value: f64, unit: &Definition) -> String {
    let name = if is_one(value) {
        unit.one
    } else {
        unit.several
    };
    format!("{value} {name}")
}

/// Four digits for what is small, one place behind the point for what is large.
fn rounded(value: f64) -> f64 {
    let size = value.abs();
    let places = match size {
        _ if size >= 100.0 => 1,
        _ if size >= 1.0 => 2,
        _ if size >= 0.01 => 4,
        _ => 8,
    };
    let scale = 10_f64.powi(places);
    (value * scale).round() / scale
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests;
