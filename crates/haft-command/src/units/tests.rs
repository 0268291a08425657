use super::*;

fn convert(value: f64, from: &str, to: &str) -> Result<String, String> {
    let (from, to) = pair(from, to).unwrap();
    Conversion { value, from, to }.sentence()
}

#[test]
fn amounts_are_converted_and_rounding_is_said() {
    for (value, from, to, expected) in [
        (5.0, "km", "miles", "5 kilometers are about 3.11 miles."),
        (350.0, "fahrenheit", "celsius", "350 °F is about 176.7 °C."),
        (100.0, "celsius", "f", "100 °C is 212 °F."),
        (-40.0, "c", "f", "-40 °C is -40 °F."),
        (0.0, "celsius", "kelvin", "0 °C is about 273.2 K."),
        (1.0, "mile", "feet", "1 mile is 5280 feet."),
        (2.0, "lbs", "oz", "2 pounds are 32 ounces."),
        (1.0, "cup", "oz", "1 US cup is 8 US fluid ounces."),
        (3.0, "hours", "minutes", "3 hours are 180 minutes."),
        (
            90.0,
            "km/h",
            "mph",
            "90 kilometers per hour are about 55.92 miles per hour.",
        ),
        (1.0, "mm", "km", "1 millimeter is 0.000001 kilometers."),
    ] {
        assert_eq!(convert(value, from, to).as_deref(), Ok(expected));
    }
}

#[test]
fn what_cannot_be_compared_is_said() {
    let refused = convert(5.0, "km", "kg").unwrap_err();
    assert!(
        refused.starts_with("Kilometers and kilograms do not"),
        "{refused}"
    );
    let refused = convert(-300.0, "c", "f").unwrap_err();
    assert_eq!(refused, "There is no such amount as -300 °C.");
    assert!(convert(-1.0, "km", "m").is_err());
}

#[test]
fn no_name_has_two_units_of_a_quantity() {
    for unit in &UNITS {
        for name in unit.names.split('|') {
            let same = units(name).filter(|other| other.0.quantity == unit.quantity);
            assert_eq!(same.count(), 1, "{name}");
        }
    }
}
