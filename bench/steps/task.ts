/** A person's daily tasks with the program, step by step. */
import type { Browser, Page } from 'playwright-core'
import type { Demo } from '../../scripts/demo/demo.ts'
import type { Ran } from '../../test/support/command-line.ts'
import type { Bench } from '../support/bench.ts'
import type { Steps } from './hands.ts'

export interface Task {
  readonly what: string
  /** fewest steps on an earlier commit, which the docstring of the task describes */
  readonly before: Steps & { readonly commit: string }
  /**
   * Opens the page at which the task begins, takes its steps, and checks that the task is done.
   * @throws Error when a step finds nothing, or the task is not done
   */
  walk(place: Place): Promise<Steps>
}

/** The demo and a person who is signed in to it. */
export interface Place {
  readonly bench: Bench
  readonly demo: Demo
  readonly browser: Browser
  readonly page: Page
  /** Runs a command of this program on the database of the demo, at its instant. */
  run(words: readonly string[]): Promise<Ran>
}

/** @throws Error that names what the task has not reached */
export function reached(isReached: boolean, what: string): void {
  if (!isReached) throw new Error(`the task is not done: ${what}`)
}
