//! At `io_uring`: a request that goes into a ring, and its answer. Requests are no calls;
//! only these tracepoints see them.

use super::{KEPT, Layout, Maps, RequestLayout, WIDE_KEY as REQUEST, Writer};
use crate::file_trace::ring::assembly::{Do, Helper, If, R0, R1, R2, R3, R6, R7, R8, R9, STACK, Width};
use crate::file_trace::ring::plan::LONGEST_TEXT_BYTES;
use crate::file_trace::ring::record::{HEAD_BYTES, Kind, LENGTHS};
use fathom_sys::bpf::Instruction;

/// Of a request's own fields, which differ by operation.
pub(in crate::file_trace::ring) const COMMAND_BYTES: u16 = 64;

/// The program at `io_uring_submit_req`, in the thread that submits or in the ring's own.
pub(in crate::file_trace::ring) fn at_request(
    maps: &Maps,
    layout: &Layout,
    request: &RequestLayout,
) -> Vec<Instruction> {
    let mut writer = Writer::new(maps, layout);
    writer.who();
    writer.only_followed(R7);
    let code = &mut writer.assembly;
    code.load(Width::Eight, R8, R6, 0);
    writer.begin_record(Kind::Request, None);
    writer.argument(0, R8);
    writer.assembly.load(Width::One, R6, R8, request.operation);
    writer.argument(1, R6);
    writer.read_kernel(request.descriptor, 4);
    writer.assembly.load(Width::Four, R1, STACK, KEPT);
    writer.argument(2, R1);
    writer.read_kernel(request.flags, 8);
    writer.assembly.load(Width::Eight, R1, STACK, KEPT);
    writer.argument(3, R1);
    writer.assembly.set(R7, i32::from(HEAD_BYTES));
    let fields = writer.assembly.label();
    for (operation, path) in &request.paths {
        let other = writer.assembly.label();
        writer.assembly.jump_if(If::NotEqual, R6, *operation, other);
        writer.read_kernel(*path, 8);
        writer.assembly.jump(fields);
        writer.assembly.here(other);
    }
    let no_path = writer.assembly.label();
    writer.assembly.jump(no_path);
    writer.assembly.here(fields);
    copy_name(&mut writer, request.name);
    writer.assembly.here(no_path);
    let no_fields = writer.assembly.label();
    let code = &mut writer.assembly;
    code.copy(R1, R9);
    code.with(Do::Add, R1, R7);
    code.set(R2, i32::from(COMMAND_BYTES));
    code.copy(R3, R8);
    code.number(Do::Add, R3, i32::from(request.command));
    code.call(Helper::ReadKernel);
    code.jump_if(If::NotEqual, R0, 0, no_fields);
    code.store_number(Width::Two, R9, LENGTHS + 4, i32::from(COMMAND_BYTES));
    code.number(Do::Add, R7, i32::from(COMMAND_BYTES));
    code.here(no_fields);
    writer.send();
    writer.finish()
}

/// The program at `io_uring_complete`, whoever runs then.
pub(in crate::file_trace::ring) fn at_answer(
    maps: &Maps,
    layout: &Layout,
    request: &RequestLayout,
) -> Vec<Instruction> {
    let mut writer = Writer::new(maps, layout);
    writer.assembly.load(Width::Eight, R8, R6, 8);
    writer.assembly.store(Width::Eight, STACK, REQUEST, R8);
    // Who submitted it, of whom the kernel keeps the task for as long. An answer without a request has
    // thread 0, whom nobody follows.
    for pointer in &request.submitter {
        writer.read_kernel(*pointer, 8);
        writer.assembly.load(Width::Eight, R8, STACK, KEPT);
    }
    writer.read_kernel(layout.task.process, 4);
    writer.assembly.load(Width::Eight, R7, STACK, KEPT);
    writer.assembly.number(Do::ShiftLeft, R7, 32);
    writer.read_kernel(layout.task.thread, 4);
    writer.assembly.load(Width::Eight, R1, STACK, KEPT);
    writer.assembly.with(Do::Add, R7, R1);
    writer.only_followed(R7);
    writer.begin_record(Kind::Answer, None);
    writer.assembly.load(Width::Eight, R1, STACK, REQUEST);
    writer.argument(0, R1);
    if request.answer_is_structure {
        writer.assembly.load(Width::Eight, R1, R6, 16);
        writer.assembly.load(Width::Four, R1, R1, request.answer);
    } else {
        writer.assembly.load(Width::Eight, R1, R6, request.answer);
    }
    writer.result(R1);
    writer.send_head();
    writer.finish()
}

/// Copies the path of the name whose address is on the stack.
fn copy_name(writer: &mut Writer<'_>, name: i16) {
    let none = writer.assembly.label();
    let code = &mut writer.assembly;
    code.load(Width::Eight, R3, STACK, KEPT);
    code.number(Do::Add, R3, i32::from(name));
    code.copy(R1, STACK);
    code.number(Do::Add, R1, i32::from(KEPT));
    code.set(R2, 8);
    code.call(Helper::ReadKernel);
    code.load(Width::Eight, R3, STACK, KEPT);
    code.copy(R1, R9);
    code.number(Do::Add, R1, i32::from(HEAD_BYTES));
    code.set(R2, i32::from(LONGEST_TEXT_BYTES));
    code.call(Helper::ReadKernelText);
    code.jump_if(If::SignedNotAbove, R0, 0, none);
    code.store(Width::Two, R9, LENGTHS, R0);
    code.with(Do::Add, R7, R0);
    code.here(none);
}
