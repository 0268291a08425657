//! Recorded exchanges with model servers: written by a [`Recorder`], read by a [`Cassette`].

use bytes::Bytes;
use haft_core::{ModelError, ModelErrorKind};

use crate::http::{Request, Response};

/// (being written)
#[derive(Clone, Debug)]
pub struct Recorder {}

#[derive(Debug)]
pub(crate) struct Recording {}

#[derive(Debug)]
pub(crate) struct Cassette {}

impl Recorder {
    pub(crate) fn begin(&self, _request: &Request, _response: &Response) -> Recording {
        Recording {}
    }
}
impl Recording {
    pub(crate) fn push(&mut self, _bytes: &Bytes) {}
}
impl Cassette {
    pub(crate) fn answer(&self, _request: &Request) -> Result<Response, ModelError> {
        Err(ModelError::new(ModelErrorKind::ReplayDrift, "not yet"))
    }
}
