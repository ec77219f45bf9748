"""What a method cannot do, and the reason, as far as it is known from the
arguments alone.
"""

from config_load import loader
from failure import UnsupportedError
from methods import WRITERS


def check_support(plan, method):
    """Raises UnsupportedError where the method cannot do what is asked."""
    reason = method.unavailable or refusal(plan, method)
    if reason:
        raise UnsupportedError(f"{method.name}: {reason}")


def refusal(plan, method):
    operation = plan.operation
    if plan.buffer == "stack":
        return "Python puts no buffer on the stack"
    if operation == "hash" and plan.algorithm != "md5":
        return "Python has no XXH64"
    if operation in WRITERS and plan.sync == "syncfs":
        return "Python has no syncfs, and os.sync is not the same"
    if method.name == "null":
        return None
    if operation in ("read-block", "read-whole"):
        if plan.threads > 1:
            return f"its {operation} is done on one thread"
        if plan.queue_depth > 1:
            return "it reads one block after the other"
    if operation == "config-load":
        if plan.format not in method.formats:
            return f"it does not parse {plan.format}"
        _, reason = loader(plan.format)
        return reason
    way = method.functions[operation]
    if operation == "create":
        return create_refusal(plan, way)
    if operation == "write-block":
        return write_block_refusal(plan, way)
    if operation == "copy" and plan.sync == "fsync" and not way.can_sync:
        return "it has no descriptor to sync before the copy is closed"
    return None


def create_refusal(plan, way):
    if plan.existing != "fresh" and way.exclusive:
        return "it refuses files that exist"
    if plan.close != "each" and not way.holds:
        return "it closes the file by itself"
    if plan.sync == "fsync" and not way.holds:
        return "it has no descriptor to sync before the file is closed"
    return None


def write_block_refusal(plan, way):
    if plan.sequential:
        if way.truncates and plan.existing == "data":
            return "it truncates the file that is to be overwritten"
        return None
    return "it writes in order only" if way.in_order else None
