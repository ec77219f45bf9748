//! From a descriptor to the directory of its file: where this kernel's structures have what leads
//! there, and the instructions that follow it.

use super::{KEPT, WIDE_KEY, Writer};
use crate::file_trace::ring::assembly::{
    Do, Helper, If, Label, R0, R1, R2, R3, R4, R6, R8, R9, STACK, Width,
};
use crate::file_trace::ring::kernel_types::KernelTypes;

/// Where fields stand, in bytes.
#[derive(Debug)]
pub(in crate::file_trace::ring) struct FileLayout {
    files: i16,
    table: i16,
    descriptors: i16,
    descriptors_end: i16,
    inode: i16,
    mount: i16,
    entry: i16,
    mode: i16,
    number: i16,
    pub(super) mount_root: i16,
    /// From the part of a mount that files point to.
    mount_id: i16,
    pub(super) parent: i16,
    pub(super) name: i16,
    entry_inode: i16,
    pub(super) leader: i16,
    pub(super) program: i16,
    pub(super) living: i16,
    casts: Option<Casts>,
}

/// How the kernel is told what an address is of (`bpf_rdonly_cast`, Linux 6.2 and later): what is read through
/// such a pointer takes an instruction and not a call, and is 0 where nothing can be read.
#[derive(Debug)]
struct Casts {
    function: i32,
    /// A structure that begins with a pointer, as a place in a table of files is one.
    pointer: i32,
    file: i32,
    mount: i32,
    /// From the beginning of a mount to the part that files point to.
    mount_part: i16,
    mount_number: i16,
}

impl Casts {
    fn find(types: &KernelTypes<'_>) -> Option<Self> {
        let number = |id: u32| i32::try_from(id).ok();
        Some(Self {
            function: types.function("bpf_rdonly_cast").and_then(number)?,
            pointer: types.structure("list_head").and_then(number)?,
            file: types.structure("file").and_then(number)?,
            mount: types.structure("mount").and_then(number)?,
            mount_part: types.offset("mount", &["mnt"]).ok()?,
            mount_number: types.offset("mount", &["mnt_id"]).ok()?,
        })
    }
}

/// Places on the stack: the key's file kind, mount and directory; what leads to the directory.
pub(super) const COUNT_KEY: i16 = -80;
pub(super) const KIND_IN_KEY: i16 = COUNT_KEY + 6;
const MOUNT_IN_KEY: i16 = COUNT_KEY + 8;
const NUMBER_IN_KEY: i16 = COUNT_KEY + 16;
pub(super) const MOUNT: i16 = -96;
pub(super) const ENTRY: i16 = -104;
pub(super) const DIRECTORY: i16 = -112;
pub(super) const SPAN: i16 = -256;
const SPAN_BYTES: i16 = 128;

/// Kinds of files: the upper bits of a mode.
const DIRECTORY_KIND: i32 = 4;
const REGULAR_KIND: i32 = 8;
/// Of what has no kind: an eventfd, an epoll.
const NO_KIND: i32 = 15;

impl FileLayout {
    /// That of the running kernel, or what it lacks.
    pub(in crate::file_trace::ring) fn find(types: &KernelTypes<'_>) -> Result<Self, String> {
        let of = |structure, fields: &[&str]| types.offset(structure, fields);
        let found = Self {
            files: of("task_struct", &["files"])?,
            table: of("files_struct", &["fdt"])?,
            descriptors: of("fdtable", &["fd"])?,
            descriptors_end: of("fdtable", &["max_fds"])?,
            inode: of("file", &["f_inode"])?,
            mount: of("file", &["f_path", "mnt"])?,
            entry: of("file", &["f_path", "dentry"])?,
            mode: of("inode", &["i_mode"])?,
            number: of("inode", &["i_ino"])?,
            mount_root: of("vfsmount", &["mnt_root"])?,
            mount_id: of("mount", &["mnt_id"])? - of("mount", &["mnt"])?,
            parent: of("dentry", &["d_parent"])?,
            name: of("dentry", &["d_name", "name"])?,
            entry_inode: of("dentry", &["d_inode"])?,
            leader: of("task_struct", &["group_leader"])?,
            program: of("task_struct", &["comm"])?,
            living: of("signal_struct", &["live"])?,
            casts: Casts::find(types),
        };
        let spans = [&[found.inode, found.mount, found.entry][..], &[found.parent, found.name]];
        match spans.into_iter().map(bytes_of).max() {
            Some(most) if most > SPAN_BYTES => {
                Err("this kernel's struct file is larger than expected".to_owned())
            }
            _ => Ok(found),
        }
    }
}

impl FileLayout {
    /// The same for a kernel whose verifier refuses pointers that it is told of; `None` where it is told of none.
    pub(in crate::file_trace::ring) fn without_casts(self) -> Option<Self> {
        self.casts.is_some().then_some(Self { casts: None, ..self })
    }
}

fn bytes_of(fields: &[i16]) -> i16 {
    let first = fields.iter().min().copied().unwrap_or(0);
    fields.iter().max().map_or(0, |last| last + 8 - first)
}

impl Writer<'_> {
    /// Puts kind, mount and directory of the file behind the descriptor in `R8` into the key; jumps
    /// where there is none. Uses `R6`, `R8` and `R9`.
    pub(super) fn find_file(&mut self, files: &FileLayout, done: Label) {
        let code = &mut self.assembly;
        code.store(Width::Eight, STACK, WIDE_KEY, R8);
        code.call(Helper::CurrentTask);
        code.load(Width::Eight, R1, R0, files.files);
        code.jump_if(If::Equal, R1, 0, done);
        code.load(Width::Eight, R2, R1, files.table);
        code.jump_if(If::Equal, R2, 0, done);
        code.load(Width::Four, R3, R2, files.descriptors_end);
        code.load(Width::Eight, R1, R2, files.descriptors);
        code.load(Width::Eight, R8, STACK, WIDE_KEY);
        code.copy(R4, R8);
        code.number(Do::Add, R4, 1);
        code.jump_if_above(R4, R3, done);
        code.number(Do::ShiftLeft, R8, 3);
        code.with(Do::Add, R8, R1);
        if let Some(casts) = &files.casts {
            return self.find_file_by_casts(files, casts, done);
        }
        self.follow_pointer(0);
        self.assembly.jump_if(If::Equal, R8, 0, done);
        let [inode, mount, entry] = self.read_span([files.inode, files.mount, files.entry]);
        let (path_less, in_tree, is_directory) =
            (self.assembly.label(), self.assembly.label(), self.assembly.label());
        let code = &mut self.assembly;
        code.load(Width::Eight, R1, STACK, mount);
        code.store(Width::Eight, STACK, MOUNT, R1);
        code.load(Width::Eight, R9, STACK, entry);
        code.store(Width::Eight, STACK, ENTRY, R9);
        code.load(Width::Eight, R8, STACK, inode);
        self.read_kernel(files.mode, 2);
        let code = &mut self.assembly;
        code.load(Width::Two, R6, STACK, KEPT);
        code.number(Do::ShiftRight, R6, 12);
        code.store(Width::Two, STACK, KIND_IN_KEY, R6);
        code.jump_if(If::Equal, R6, REGULAR_KIND, in_tree);
        code.jump_if(If::Equal, R6, DIRECTORY_KIND, in_tree);
        code.jump_if(If::NotEqual, R6, 0, path_less);
        code.store_number(Width::Two, STACK, KIND_IN_KEY, NO_KIND);
        code.here(path_less);
        code.store_number(Width::Eight, STACK, MOUNT, 0);
        code.jump(done);
        code.here(in_tree);
        code.load(Width::Eight, R8, STACK, MOUNT);
        self.read_kernel(files.mount_id, 4);
        let code = &mut self.assembly;
        code.load(Width::Four, R1, STACK, KEPT);
        code.store(Width::Four, STACK, MOUNT_IN_KEY, R1);
        code.copy(R8, R9);
        code.jump_if(If::Equal, R6, DIRECTORY_KIND, is_directory);
        self.follow_pointer(files.parent);
        self.assembly.here(is_directory);
        self.assembly.store(Width::Eight, STACK, DIRECTORY, R8);
        self.follow_pointer(files.entry_inode);
        self.follow_pointer(files.number);
        self.assembly.store(Width::Eight, STACK, NUMBER_IN_KEY, R8);
    }

    /// The same, from the place in the table in `R8` on, by loads.
    fn find_file_by_casts(&mut self, files: &FileLayout, casts: &Casts, done: Label) {
        let (path_less, in_tree, is_directory) =
            (self.assembly.label(), self.assembly.label(), self.assembly.label());
        self.cast(casts, casts.pointer);
        let code = &mut self.assembly;
        code.load(Width::Eight, R8, R0, 0);
        code.jump_if(If::Equal, R8, 0, done);
        self.cast(casts, casts.file);
        let code = &mut self.assembly;
        code.load(Width::Eight, R8, R0, files.mount);
        code.store(Width::Eight, STACK, MOUNT, R8);
        code.load(Width::Eight, R9, R0, files.entry);
        code.store(Width::Eight, STACK, ENTRY, R9);
        code.load(Width::Eight, R1, R0, files.inode);
        code.load(Width::Two, R6, R1, files.mode);
        code.number(Do::ShiftRight, R6, 12);
        code.store(Width::Two, STACK, KIND_IN_KEY, R6);
        code.jump_if(If::Equal, R6, REGULAR_KIND, in_tree);
        code.jump_if(If::Equal, R6, DIRECTORY_KIND, in_tree);
        code.jump_if(If::NotEqual, R6, 0, path_less);
        code.store_number(Width::Two, STACK, KIND_IN_KEY, NO_KIND);
        code.here(path_less);
        code.store_number(Width::Eight, STACK, MOUNT, 0);
        code.jump(done);
        code.here(in_tree);
        code.number(Do::Subtract, R8, i32::from(casts.mount_part));
        self.cast(casts, casts.mount);
        let code = &mut self.assembly;
        code.load(Width::Four, R1, R0, casts.mount_number);
        code.store(Width::Four, STACK, MOUNT_IN_KEY, R1);
        code.copy(R8, R9);
        code.jump_if(If::Equal, R6, DIRECTORY_KIND, is_directory);
        code.load(Width::Eight, R8, R9, files.parent);
        code.here(is_directory);
        code.store(Width::Eight, STACK, DIRECTORY, R8);
        code.load(Width::Eight, R1, R8, files.entry_inode);
        code.load(Width::Eight, R1, R1, files.number);
        code.store(Width::Eight, STACK, NUMBER_IN_KEY, R1);
    }

    /// What is at the address in `R8`, as a pointer to a type, in `R0`.
    fn cast(&mut self, casts: &Casts, to: i32) {
        let code = &mut self.assembly;
        code.copy(R1, R8);
        code.set(R2, to);
        code.call_by_type(casts.function);
    }

    /// Loads the word at an offset from `R8` into `R8`; 0 where it cannot be read.
    pub(super) fn follow_pointer(&mut self, offset: i16) {
        self.read_kernel(offset, 8);
        self.assembly.load(Width::Eight, R8, STACK, KEPT);
    }

    /// Reads words at offsets from `R8` at once: where each stands on the stack. The kernel leaves zeros
    /// where it cannot read.
    pub(super) fn read_span<const N: usize>(&mut self, fields: [i16; N]) -> [i16; N] {
        let first = fields.iter().min().copied().unwrap_or(0);
        let bytes = bytes_of(&fields);
        let code = &mut self.assembly;
        code.copy(R1, STACK);
        code.number(Do::Add, R1, i32::from(SPAN));
        code.set(R2, i32::from(bytes));
        code.copy(R3, R8);
        code.number(Do::Add, R3, i32::from(first));
        code.call(Helper::ReadKernel);
        fields.map(|field| SPAN + field - first)
    }
}
