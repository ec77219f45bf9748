// A session: it prepares what the arguments ask for, then obeys lines until the
// input ends.

import { OperationError, Performer } from './batch.mjs';
import { Directory } from './directory.mjs';
import { errorLine } from './failure.mjs';
import { Collections } from './figures.mjs';
import { LatencyFile, Stamps } from './latencies.mjs';
import { newTask } from './task.mjs';

// 1 GiB of them.
const MOST_LATENCIES = 2 ** 27;
// Digits that a double holds.
const BATCH = /^batch (\d{1,15})(?: method=(\d{1,15}))?(?: preroll=(\d{1,15}))?$/;
const BLOCKS = /^blocks(?: \d{1,15}:\d{1,15}:\d{1,15})+$/;
const VERIFY = /^verify(?: method=(\d{1,15}))?$/;

/** Binds the methods to the files and takes up what they hold. */
export async function prepare(plan) {
  const performers = [];
  const directory = new Directory(plan.directory);
  for (const method of plan.methods) {
    const performer = new Performer(plan, newTask(plan, method, directory));
    // A file that cannot be opened is reported by the batch that needs it.
    await performer.takeUp().catch(() => {});
    performers.push(performer);
  }
  return new Session(plan, performers);
}

class Session {
  #plan;
  #performers;
  #latencies;

  constructor(plan, performers) {
    this.#plan = plan;
    this.#performers = performers;
    this.#latencies = plan.latencies === null ? null : new LatencyFile(plan.latencies);
  }

  /** Answers lines until `quit` or the end of input. */
  async obey(input, write) {
    write('ready\n');
    for (let line; (line = input.next()) !== null && line !== 'quit'; ) {
      write(await this.#answer(line));
    }
  }

  async #answer(line) {
    let words;
    try {
      if ((words = BATCH.exec(line)) !== null && this.#has([words[2]])) {
        return await this.#batch(order(words[2], words[1], words[3]));
      } else if (BLOCKS.test(line)) {
        const orders = line.split(' ').slice(1).map((block) => block.split(':'));
        if (this.#has(orders.map(([method]) => method))) {
          return await this.#blocks(orders.map((each) => order(...each)));
        }
      } else if ((words = VERIFY.exec(line)) !== null && this.#has([words[1]])) {
        return `${await this.#performers[Number(words[1] ?? 0)].verify()}\n`;
      } else if (line === 'release') {
        for (const performer of this.#performers) {
          await performer.release();
        }
        return 'released\n';
      }
    } catch (error) {
      return failureLine(error);
    }
    return `error op=protocol errno=EINVAL path=${line}\n`;
  }

  #has(methods) {
    return methods.every((method) => Number(method ?? 0) < this.#performers.length);
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
      return [...answers, failureLine(error)].join('\n');
    }
    return `${answers.join('\n')}\nend\n`;
  }

  #appendLatencies(stamps) {
    try {
      this.#latencies.append(stamps);
    } catch (error) {
      throw new OperationError(error, this.#plan.latencies);
    }
  }
}

function order(method, count, preroll) {
  return { method: Number(method ?? 0), count: Number(count), preroll: Number(preroll ?? 0) };
}

function failureLine(error) {
  if (error instanceof OperationError) {
    return errorLine(error.cause, error.path);
  }
  throw error;
}
