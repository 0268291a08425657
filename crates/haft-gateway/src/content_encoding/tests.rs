use std::io::Write;

use axum::http::HeaderValue;
use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::*;

fn sent(encoding: &'static str, body: Vec<u8>) -> Result<Bytes, Refusal> {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    decoded(&headers, body.into())
}

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

fn zstd(body: &[u8]) -> Vec<u8> {
    compress_to_vec(body, CompressionLevel::Fastest)
}

#[test]
fn bodies_are_unpacked_in_reverse_order_of_their_encodings() {
    assert_eq!(decoded(&HeaderMap::new(), "plain".into()).unwrap(), "plain");
    assert_eq!(sent("identity", b"plain".to_vec()).unwrap(), "plain");
    assert_eq!(sent("gzip", gzip(b"body")).unwrap(), "body");
    assert_eq!(sent("zstd", zstd(b"body")).unwrap(), "body");
    assert_eq!(sent("ZSTD, gzip", gzip(&zstd(b"body"))).unwrap(), "body");
}

#[test]
fn what_cannot_be_unpacked_is_refused() {
    let status = |encoding, body| sent(encoding, body).unwrap_err().status;
    assert_eq!(status("gzip", b"no".to_vec()), 400);
    assert_eq!(status("zstd", b"no".to_vec()), 400);
    let whole = zstd(b"a body that is cut");
    assert_eq!(status("zstd", whole[..whole.len() - 3].to_vec()), 400);
    assert_eq!(status("br", b"no".to_vec()), 415);
    assert_eq!(status("gzip, gzip, gzip", b"no".to_vec()), 415);
}

#[test]
fn a_body_that_unpacks_to_too_much_is_refused() {
    let zeros = vec![0; MAX_BODY + 1];
    for (encoding, packed) in [("gzip", gzip(&zeros)), ("zstd", zstd(&zeros))] {
        assert!(packed.len() < MAX_BODY / 100);
        assert_eq!(
            sent(encoding, packed).unwrap_err().status,
            413,
            "{encoding}"
        );
    }
}
