//! The broker's address, the credentials and the topics.

use std::fmt;

use url::Url;

use crate::{VoiceError, VoiceErrorKind};

/// The default ports, without and with TLS (registered with IANA).
const PORT: u16 = 1883;
const TLS_PORT: u16 = 8883;

/// The broker's address, the credentials and the topics.
#[derive(Clone)]
#[non_exhaustive]
pub struct MqttOptions {
    /// The broker's host name or IP address.
    pub host: String,
    /// The broker's port: 1883, with TLS 8883.
    pub port: u16,
    /// Whether to connect with TLS. The broker's certificate must be trusted by the system.
    pub tls: bool,
    /// The user name, if the broker requires one.
    pub user: Option<String>,
    /// The password; never logged.
    pub password: Option<String>,
    /// The client identifier: random, because a broker disconnects a client when another one
    /// connects with the same identifier.
    pub client: String,
    /// The topic of transcripts: `voice/transcription`.
    pub transcription_topic: String,
    /// The topic of answers: `voice/ai-response`.
    pub answer_topic: String,
}

impl MqttOptions {
    /// The broker at `mqtt://[USER[:PASSWORD]@]HOST[:PORT]`, or `mqtts://...` through TLS.
    ///
    /// ```
    /// use haft_voice::mqtt::MqttOptions;
    ///
    /// let options = MqttOptions::parse("mqtt://house:secret@broker.lan")?;
    /// assert_eq!(options.to_string(), "mqtt://house@broker.lan:1883");
    /// assert!(!format!("{options:?}").contains("secret"));
    /// # Ok::<_, haft_voice::VoiceError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`VoiceErrorKind::Configuration`] for any other text; the error does not contain the
    /// password.
    pub fn parse(address: &str) -> Result<Self, VoiceError> {
        let invalid = |reason: &str| {
            let message = format!("The address of the MQTT broker {reason}");
            VoiceError::new(VoiceErrorKind::Configuration, message).with_hint(
                "write mqtt://[USER@]HOST[:PORT], such as mqtt://127.0.0.1:1883, or mqtts://...",
            )
        };
        let url = Url::parse(address).map_err(|_| invalid("is none"))?;
        let tls = match url.scheme() {
            "mqtt" => false,
            "mqtts" => true,
            _ => return Err(invalid("does not begin with mqtt:// or mqtts://")),
        };
        let host = url.host_str().filter(|host| !host.is_empty());
        let host = host.ok_or_else(|| invalid("names no host"))?;
        if !matches!(url.path(), "" | "/") || url.query().is_some() {
            return Err(invalid("goes on behind the port"));
        }
        let decoded = |text: &str| decode(text).ok_or_else(|| invalid("has a damaged user"));
        let user = Some(url.username()).filter(|user| !user.is_empty());
        Ok(Self {
            host: host.trim_matches(['[', ']']).to_owned(),
            port: url.port().unwrap_or(if tls { TLS_PORT } else { PORT }),
            tls,
            user: user.map(decoded).transpose()?,
            password: url.password().map(decoded).transpose()?,
            client: format!("haft-{:08x}", fastrand::u32(..)),
            transcription_topic: "voice/transcription".to_owned(),
            answer_topic: "voice/ai-response".to_owned(),
        })
    }

    /// Checks that `topic` can be published to.
    ///
    /// # Errors
    ///
    /// [`VoiceErrorKind::Configuration`] for a topic that is empty, too long, or has a wildcard.
    pub fn check_topic(topic: &str) -> Result<(), VoiceError> {
        if !topic.is_empty() && topic.len() <= 1024 && !topic.contains(['+', '#', '\0']) {
            return Ok(());
        }
        let message = format!("Nothing can be published to the topic {topic:?}");
        Err(VoiceError::new(VoiceErrorKind::Configuration, message)
            .with_hint("write a topic without + and #, such as voice/transcription"))
    }
}

/// Percent-decodes a part of an address.
fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: u8| char::from(byte).to_digit(16);
            let (high, low) = (digit(rest.next()?)?, digit(rest.next()?)?);
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

impl fmt::Display for MqttOptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.tls { "mqtts://" } else { "mqtt://" })?;
        if let Some(user) = &self.user {
            write!(formatter, "{user}@")?;
        }
        write!(formatter, "{}:{}", self.host, self.port)
    }
}

impl fmt::Debug for MqttOptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("MqttOptions")
            .field("broker", &format_args!("{self}"))
            .field("password", &self.password.as_ref().map(|_| "set"))
            .field("client", &self.client)
            .field("transcription_topic", &self.transcription_topic)
            .field("answer_topic", &self.answer_topic)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_parsed_and_passwords_are_not_shown() {
        let options = MqttOptions::parse("mqtt://a%40b:p%3Aw@[::1]:1884/").unwrap();
        assert_eq!((options.host.as_str(), options.port), ("::1", 1884));
        assert_eq!(options.user.as_deref(), Some("a@b"));
        assert_eq!(options.password.as_deref(), Some("p:w"));
        let tls = MqttOptions::parse("mqtts://me:hush@broker.lan").unwrap();
        assert_eq!(tls.to_string(), "mqtts://me@broker.lan:8883");
        for bad in [
            "127.0.0.1:1883",
            "http://broker",
            "mqtts://me:hush@",
            "mqtt://me:hush@broker/topic",
            "mqtt://me:hush%zz@broker",
            "mqtt://",
        ] {
            let error = MqttOptions::parse(bad).unwrap_err();
            assert!(!error.detail().contains("hush"), "{error:?}");
            assert!(error.hint().is_some());
        }
    }

    #[test]
    fn topics_have_no_wildcards() {
        assert!(MqttOptions::check_topic("home/voice/heard").is_ok());
        for bad in ["", "voice/#", "+/x", "a\0"] {
            assert!(MqttOptions::check_topic(bad).is_err(), "{bad:?}");
        }
    }
}
