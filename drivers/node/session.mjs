// A session: it prepares what the arguments ask for, then obeys lines until the
// input ends.

import { UsageError } from './arguments.mjs';
import { OperationError, Performer } from './batch.mjs';
import { Directory } from './directory.mjs';
import { errorLine } from './failure.mjs';
import { Collections } from './figures.mjs';
import { LatencyFile, Stamps } from './latencies.mjs';
import { nonsense, NonsenseError, parseAlone, parseBatch, parseSchedule, parseVerify } from './protocol.mjs';
import { checkSupport } from './support.mjs';
import { newTask } from './task.mjs';

// 1 GiB of them.
const MOST_LATENCIES = 2 ** 27;

/** Binds the methods to the files and takes up what they hold. */
export async function prepare(plan) {
  const performers = [];
  const directory = new Directory(plan.directory);
  for (const method of plan.methods) {
    checkSupport(plan, method);
    const performer = new Performer(plan, newTask(plan, method, directory));
    // A file that cannot be opened is reported by the batch that needs it.
    await performer.takeUp().catch(() => {});
    performers.push(performer);
  }
  return new Session(plan, performers, openLatencies(plan.latencies));
}

function openLatencies(path) {
  try {
    return path === null ? null : new LatencyFile(path);
  } catch (error) {
    throw new UsageError(`--latencies: ${error.message}`);
  }
}

class Session {
  #plan;
  #performers;
  #latencies;

  constructor(plan, performers, latencies) {
    this.#plan = plan;
    this.#performers = performers;
    this.#latencies = latencies;
  }

  /** Answers lines until `quit` or the end of input. */
  async obey(input, write) {
    write('ready\n');
    for (let line; (line = input.next()) !== null && line !== 'quit'; ) {
      write(await this.#answer(line));
    }
  }

  async #answer(line) {
    const [word, ...rest] = line.split(/[ \t]+/).filter((part) => part !== '');
    try {
      switch (word) {
        case 'batch':
          return await this.#batch(parseBatch(rest, this.#performers.length));
        case 'blocks':
          return await this.#blocks(parseSchedule(rest, this.#performers.length));
        case 'verify':
          return `${await this.#performers[parseVerify(rest, this.#performers.length)].verify()}\n`;
        case 'release':
          parseAlone(rest);
          return await this.#release();
        default:
          return nonsense();
      }
    } catch (error) {
      return failureLine(error, line);
    }
  }

  async #batch(order) {
    const wanted = this.#latencies !== null;
    if (wanted && order.count > MOST_LATENCIES) {
      return `error op=latencies errno=ENOMEM path=${this.#plan.latencies}\n`;
    }
    const performer = this.#performers[order.method];
    const stamps = wanted ? new Stamps(order.count, performer.phases) : null;
    const collections = new Collections();
    try {
      const done = await performer.perform(order, stamps, collections);
      if (stamps !== null) {
        this.#appendLatencies(stamps);
      }
      return `${done}${await collections.words()}\n`;
    } finally {
      collections.stop();
    }
  }

  async #blocks(schedule) {
    const answers = [];
    try {
      for (const order of schedule) {
        answers.push(await this.#performers[order.method].perform(order, null, null));
      }
    } catch (error) {
      return [...answers, failureLine(error, '')].join('\n');
    }
    return `${answers.join('\n')}\nend\n`;
  }

  async #release() {
    for (const performer of this.#performers) {
      await performer.release();
    }
    return 'released\n';
  }

  #appendLatencies(stamps) {
    try {
      this.#latencies.append(stamps);
    } catch (error) {
      throw new OperationError(error, this.#plan.latencies);
    }
  }
}

function failureLine(error, line) {
  if (error instanceof NonsenseError) {
    return `error op=protocol errno=EINVAL path=${line}\n`;
  }
  if (error instanceof OperationError) {
    return errorLine(error.cause, error.path);
  }
  throw error;
}
