//! The runtimes whose scripts are shown: each is a line here and a module of its own.

use crate::hotspot::HotSpotImage;
use crate::php::PhpImage;
use crate::python::PythonImage;
use crate::ruby::RubyImage;
use crate::script_runtime::RuntimeImage;
use crate::v8::V8Image;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// Reads the image of one runtime from a file; `None` where the file holds none.
type Reader = fn(&File, &Path) -> Option<Arc<dyn RuntimeImage>>;

const READERS: [Reader; 5] = [
    |file, path| Some(Arc::new(PythonImage::read(file, path)?)),
    |file, path| Some(Arc::new(PhpImage::read(file, path)?)),
    |file, path| Some(Arc::new(RubyImage::read(file, path)?)),
    |file, path| Some(Arc::new(V8Image::read(file, path)?)),
    |file, path| Some(Arc::new(HotSpotImage::read(file, path)?)),
];

/// The runtime that a file holds.
pub(crate) fn image(file: &File, path: &Path) -> Option<Arc<dyn RuntimeImage>> {
    READERS.iter().find_map(|read| read(file, path))
}
