//! Where programs find what they read: fields of this kernel's structures, registers of
//! this architecture.

use super::STOPPING_SIGNAL;
use super::stack::WalkLayout;
use crate::file_trace::ring::assembly::{Assembly, Do, Register, Width};
use crate::file_trace::ring::kernel_types::KernelTypes;

/// Where things stand in this kernel and on this architecture.
#[derive(Debug)]
pub(in crate::file_trace::ring) struct Layout {
    pub(in crate::file_trace::ring) call_number: CallNumber,
    pub(in crate::file_trace::ring) arguments: [i16; 6],
    /// A word of a task with a bit that says: this call has another form.
    pub(super) foreign: i16,
    pub(super) foreign_bit: i32,
    pub(super) task: TaskLayout,
    pub(super) program_path: i16,
    pub(super) walk: WalkLayout,
    /// Of a task, its memory; of that, what the kernel told a program that starts.
    pub(super) memory: i16,
    pub(super) auxiliary: i16,
    /// Of a task, the signals that it blocks.
    pub(super) blocked: i16,
    /// And how it handles them; of that, the handler of the signal that stops threads of runtimes.
    pub(super) handlers: i16,
    pub(super) handler: i16,
    /// Of a task that gives up its CPU: whether it can run on.
    pub(super) state: i16,
    /// Whether `sched_switch` tells that state itself, as newer kernels do.
    pub(super) switch_has_state: bool,
    request: Option<RequestLayout>,
}

/// Where the registers have the number of a call, and in how many bytes: arm64 has an `int` of it.
#[derive(Debug, Clone, Copy)]
pub(in crate::file_trace::ring) struct CallNumber {
    offset: i16,
    width: Width,
}

#[derive(Debug)]
pub(super) struct TaskLayout {
    pub(super) thread: i16,
    pub(super) process: i16,
    pub(super) code: i16,
    pub(super) signals: i16,
    pub(super) group_code: i16,
    pub(super) group_flags: i16,
    /// Of a task, its `struct pid`; of that, the level of the innermost namespace and the outermost id.
    pub(super) ids: i16,
    pub(super) id_level: i16,
    pub(super) first_id: i16,
    /// Ids of two levels are 2 to the power of this apart.
    pub(super) id_shift: i32,
}

/// Of `io_uring`'s requests.
#[derive(Debug)]
pub(in crate::file_trace::ring) struct RequestLayout {
    /// Of the fields that are copied.
    pub(in crate::file_trace::ring) fields: RequestFields,
    pub(super) flags: i16,
    pub(super) operation: i16,
    pub(super) descriptor: i16,
    pub(super) command: i16,
    pub(super) name: i16,
    /// The pointers that lead from a request to the task that submitted it.
    pub(super) submitter: Vec<i16>,
    /// Where requests with a path keep it, by operation.
    pub(super) paths: Vec<(i32, i16)>,
    /// Whether an answer comes as a structure, as in newer kernels.
    pub(super) answer_is_structure: bool,
    pub(super) answer: i16,
}

/// Where a request's own fields stand among those that are copied, in bytes.
#[derive(Debug, Clone, Copy)]
pub(in crate::file_trace::ring) struct RequestFields {
    /// Of an open: the directory's descriptor, the slot of a file that gets no descriptor, flags, mode.
    pub(in crate::file_trace::ring) directory: i16,
    pub(in crate::file_trace::ring) slot: i16,
    pub(in crate::file_trace::ring) flags: i16,
    pub(in crate::file_trace::ring) mode: i16,
    /// Of a look: the directory's descriptor, which only requests on descriptors have elsewhere, and flags.
    pub(in crate::file_trace::ring) looked_from: i16,
    pub(in crate::file_trace::ring) look_flags: i16,
    /// Of a close: the descriptor, or the slot.
    pub(in crate::file_trace::ring) closed: i16,
    pub(in crate::file_trace::ring) closed_slot: i16,
    /// Of a read or write: how much, and where.
    pub(in crate::file_trace::ring) bytes: i16,
    pub(in crate::file_trace::ring) position: i16,
}

/// Operations whose path is told, and the kernel's structures in which it stands.
const WITH_PATH: [(i32, &str); 3] = [(18, "io_open"), (21, "io_statx"), (28, "io_open")];

impl Layout {
    /// That of the running kernel, or what it lacks.
    pub(in crate::file_trace::ring) fn find(types: &KernelTypes<'_>) -> Result<Self, String> {
        let task = |fields: &[&str]| types.offset("task_struct", fields);
        let group = |fields: &[&str]| types.offset("signal_struct", fields);
        let (foreign, foreign_bit) = if cfg!(target_arch = "x86_64") {
            (task(&["thread_info", "status"])?, 2)
        } else if cfg!(target_arch = "aarch64") {
            (task(&["thread_info", "flags"])?, 1 << 22)
        } else {
            return Err("the programs know the registers of x86_64 and aarch64 only".to_owned());
        };
        let register = |name: &str| types.offset("pt_regs", &[name]);
        let (number, arguments) = if cfg!(target_arch = "x86_64") {
            let names = ["di", "si", "dx", "r10", "r8", "r9"];
            let mut arguments = [0; 6];
            for (argument, name) in arguments.iter_mut().zip(names) {
                *argument = register(name)?;
            }
            ("orig_ax", arguments)
        } else {
            let first = register("regs")?;
            let arguments = [register("orig_x0")?, first + 8, first + 16, first + 24, first + 32, first + 40];
            ("syscallno", arguments)
        };
        let walk = if cfg!(target_arch = "x86_64") {
            let (program_counter, stack_pointer) = (register("ip")?, register("sp")?);
            WalkLayout { program_counter, stack_pointer, frame_pointer: register("bp")?, link: None }
        } else {
            let first = register("regs")?;
            let (program_counter, stack_pointer) = (register("pc")?, register("sp")?);
            let (frame_pointer, link) = (first + 8 * 29, Some(first + 8 * 30));
            WalkLayout { program_counter, stack_pointer, frame_pointer, link }
        };
        let call_number = CallNumber {
            offset: register(number)?,
            width: if types.bytes("pt_regs", number)? == 4 { Width::Four } else { Width::Eight },
        };
        Ok(Self {
            call_number,
            arguments,
            foreign,
            foreign_bit,
            task: TaskLayout {
                thread: task(&["pid"])?,
                process: task(&["tgid"])?,
                code: task(&["exit_code"])?,
                signals: task(&["signal"])?,
                group_code: group(&["group_exit_code"])?,
                group_flags: group(&["flags"])?,
                ids: task(&["thread_pid"])?,
                id_level: types.offset("pid", &["level"])?,
                first_id: types.offset("pid", &["numbers"])?,
                // An `int` and a pointer, aligned.
                id_shift: 4,
            },
            program_path: types.offset("linux_binprm", &["filename"])?,
            walk,
            memory: task(&["mm"])?,
            auxiliary: types.offset("mm_struct", &["saved_auxv"])?,
            blocked: task(&["blocked"])?,
            handlers: task(&["sighand"])?,
            handler: types.offset("sighand_struct", &["action"])? + HANDLING_BYTES * HANDLER_AT,
            state: task(&["__state"])?,
            switch_has_state: types.tracepoint("sched_switch")?.1 >= 4,
            request: RequestLayout::find(types).ok(),
        })
    }

    /// Of `io_uring`, where this kernel has it.
    pub(in crate::file_trace::ring) fn request(&self) -> Option<&RequestLayout> {
        self.request.as_ref()
    }
}

/// Bytes of how a signal is handled on `x86_64` and arm64, its handler first, and which of them that of the signal is.
const HANDLING_BYTES: i16 = 32;
const HANDLER_AT: i16 = 22;
const _: () = assert!(HANDLER_AT as i32 == STOPPING_SIGNAL - 1);

impl CallNumber {
    /// Loads it from the registers that `from` points to: a negative one is none of a call.
    pub(super) fn load(self, code: &mut Assembly, to: Register, from: Register) {
        code.load(self.width, to, from, self.offset);
        if matches!(self.width, Width::Four) {
            // A load leaves the upper half 0.
            code.number(Do::ShiftLeft, to, 32);
            code.number(Do::ShiftRightSigned, to, 32);
        }
    }
}

impl RequestLayout {
    fn find(types: &KernelTypes<'_>) -> Result<Self, String> {
        let request = |fields: &[&str]| types.offset("io_kiocb", fields);
        let command = request(&["cmd"])?;
        let mut paths = Vec::new();
        for (operation, structure) in WITH_PATH {
            paths.push((operation, command + types.offset(structure, &["filename"])?));
        }
        types.tracepoint("io_uring_submit_req")?;
        let (_, arguments) = types.tracepoint("io_uring_complete")?;
        let answer_is_structure = arguments == 3;
        let answer = if answer_is_structure { types.offset("io_uring_cqe", &["res"])? } else { 24 };
        let open = |fields: &[&str]| types.offset("io_open", fields);
        // Linux 6.13 has it by way of what `io_uring` keeps of the task.
        let submitter = match request(&["task"]) {
            Ok(task) => vec![task],
            Err(_) => vec![request(&["tctx"])?, types.offset("io_uring_task", &["task"])?],
        };
        let fields = RequestFields {
            directory: open(&["dfd"])?,
            slot: open(&["file_slot"])?,
            flags: open(&["how", "flags"])?,
            mode: open(&["how", "mode"])?,
            looked_from: types.offset("io_statx", &["dfd"])?,
            look_flags: types.offset("io_statx", &["flags"])?,
            closed: types.offset("io_close", &["fd"])?,
            closed_slot: types.offset("io_close", &["file_slot"])?,
            bytes: types.offset("io_rw", &["len"])?,
            position: types.offset("io_rw", &["kiocb", "ki_pos"])?,
        };
        Ok(Self {
            fields,
            flags: request(&["flags"])?,
            operation: request(&["opcode"])?,
            descriptor: request(&["cqe", "fd"])?,
            command,
            name: types.offset("filename", &["name"])?,
            submitter,
            paths,
            answer_is_structure,
            answer,
        })
    }
}
