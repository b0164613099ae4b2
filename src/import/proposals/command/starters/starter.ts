/** The words between a program that starts another one and the name of that one. */
import type { OptionNames } from '../program-options.ts'

/** Options that are not listed end the search. */
export interface Starter extends OptionNames {
  /** number of words between the options and the started program */
  readonly skip?: number
  /** true: the first of these words names the container, pod or host */
  readonly isPlace?: boolean
  /** the started program follows the first word that matches, wherever it is; without such a word, it follows the options */
  readonly behind?: RegExp
  /** option whose value is a line for a shell, wherever it is. With `=`, the value may be in the same word */
  readonly line?: RegExp
  /**
   * `line`: a shell reads the rest. `image`: one word names it; a program may follow. `nothing`: no program is named. Otherwise a
   * program
   */
  readonly rest?: 'line' | 'image' | 'nothing'
  /** the word after the options decides what is started, if anything */
  readonly subcommands?: Readonly<Record<string, Starter>>
  /** options with which it does not wait for the end */
  readonly detaching?: RegExp
  /** options without which it does not wait for the end */
  readonly attaching?: RegExp
}

/** A program that ends as soon as the named work has begun, whatever its options. */
export const ENDS_EARLY: Starter = { rest: 'nothing', attaching: /(?!)/ }
