/** Describes the words between a program that starts another program and the name of the started program. */
import type { OptionNames } from '../program-options.ts'

/** How a program starts another program. Options that are not listed end the search. */
export interface Starter extends OptionNames {
  /** number of words between the options and the started program */
  readonly skip?: number
  /** true if the first of these words names the container, pod or host */
  readonly isPlace?: boolean
  /** the started program follows the first word that matches; if no word matches, it follows the options */
  readonly behind?: RegExp
  /** option whose value is a shell line; with `=`, the value may be in the same word */
  readonly line?: RegExp
  /** what follows: a shell line, an image that a program may follow, or nothing; if omitted, a program follows */
  readonly rest?: 'line' | 'image' | 'nothing'
  /** subcommands, which follow the options and decide what is started */
  readonly subcommands?: Readonly<Record<string, Starter>>
  /** options with which the program does not wait until the started program ends */
  readonly detaching?: RegExp
  /** options without which the program does not wait until the started program ends */
  readonly attaching?: RegExp
}

/** A program that always ends as soon as the work has begun. */
export const ENDS_EARLY: Starter = { rest: 'nothing', attaching: /(?!)/ }
