/** Describes the words between a program that starts another program and the name of the started program. */
import type { OptionNames } from '../program-options.ts'

/** Describes how a program starts another program. The search for the started program stops at an option that is not listed. */
export interface Starter extends OptionNames {
  /** number of words between the options and the started program */
  readonly skip?: number
  /** true if the first skipped word names the container, pod or host */
  readonly isPlace?: boolean
  /** matches the word that precedes the started program; if no word matches, the started program follows the options */
  readonly behind?: RegExp
  /** option whose value is a shell line; with `=`, the value may be in the same word */
  readonly line?: RegExp
  /** what the remaining words are: a shell line, an image that a program may follow, or nothing; if omitted, a program */
  readonly rest?: 'line' | 'image' | 'nothing'
  /** subcommands, by name; a subcommand follows the options and decides what is started */
  readonly subcommands?: Readonly<Record<string, Starter>>
  /** matches options with which the program does not wait for the started program */
  readonly detaching?: RegExp
  /** matches options without which the program does not wait for the started program */
  readonly attaching?: RegExp
}

/** A program that always exits as soon as it has started the work. */
export const ENDS_EARLY: Starter = { rest: 'nothing', attaching: /(?!)/ }
