//! At `io_uring`: a request that goes into a ring, and its answer. Requests are no calls;
//! only these tracepoints see them.

use super::{KEPT, Layout, Maps, RequestLayout, WIDE_KEY, Writer, look_up};
use crate::file_trace::ring::assembly::{Do, Helper, If, R0, R1, R2, R3, R4, R6, R7, R8, R9, STACK, Width};
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
    code.store(Width::Eight, STACK, WIDE_KEY, R8);
    code.store(Width::Eight, STACK, KEPT, R7);
    code.copy(R2, STACK);
    code.number(Do::Add, R2, i32::from(WIDE_KEY));
    code.copy(R3, STACK);
    code.number(Do::Add, R3, i32::from(KEPT));
    code.map(R1, &maps.requests);
    code.set(R4, 0);
    code.call(Helper::MapUpdate);
    writer.begin_record(Kind::Request, None);
    writer.argument(0, R8);
    writer.assembly.load(Width::One, R6, R8, request.operation);
    writer.argument(1, R6);
    read_kernel(&mut writer, request.descriptor, 4);
    writer.assembly.load(Width::Four, R1, STACK, KEPT);
    writer.argument(2, R1);
    read_kernel(&mut writer, request.flags, 8);
    writer.assembly.load(Width::Eight, R1, STACK, KEPT);
    writer.argument(3, R1);
    writer.assembly.set(R7, i32::from(HEAD_BYTES));
    let fields = writer.assembly.label();
    for (operation, path) in &request.paths {
        let other = writer.assembly.label();
        writer.assembly.jump_if(If::NotEqual, R6, *operation, other);
        read_kernel(&mut writer, *path, 8);
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
    code.copy(R3, R7);
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
    let out = writer.out;
    let code = &mut writer.assembly;
    code.load(Width::Eight, R8, R6, 8);
    code.store(Width::Eight, STACK, WIDE_KEY, R8);
    look_up(code, &maps.requests, WIDE_KEY, out);
    // Who submitted it, as it was kept then.
    code.load(Width::Eight, R7, R0, 0);
    code.copy(R2, STACK);
    code.number(Do::Add, R2, i32::from(WIDE_KEY));
    code.map(R1, &maps.requests);
    code.call(Helper::MapDelete);
    writer.begin_record(Kind::Answer, None);
    writer.argument(0, R8);
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

/// Reads so many bytes of the request in `R8` onto the stack.
fn read_kernel(writer: &mut Writer<'_>, offset: i16, bytes: i32) {
    let code = &mut writer.assembly;
    code.store_number(Width::Eight, STACK, KEPT, 0);
    code.copy(R1, STACK);
    code.number(Do::Add, R1, i32::from(KEPT));
    code.set(R2, bytes);
    code.copy(R3, R8);
    code.number(Do::Add, R3, i32::from(offset));
    code.call(Helper::ReadKernel);
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
