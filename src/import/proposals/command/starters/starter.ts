/** What stands between a program that begins another one and the name of that one. */
import type { OptionNames } from '../program-options.ts'

/** Options that are not listed end the search. */
export interface Starter extends OptionNames {
  /** how many words follow the options, before what is begun */
  readonly skip?: number
  /** true: the first of those names the container, pod or host */
  readonly isPlace?: boolean
  /** what is begun follows the first word like that, wherever it is; if there is none, it follows the options */
  readonly behind?: RegExp
  /** the option whose value is a line for a shell, wherever it is. With `=`, the value may follow in the same word */
  readonly line?: RegExp
  /** `line`: a shell reads the rest. `image`: one word is left that names it; a program may follow. `nothing`: no program is named. Otherwise a program */
  readonly rest?: 'line' | 'image' | 'nothing'
  /** the word behind the options decides what is begun, if anything */
  readonly subcommands?: Readonly<Record<string, Starter>>
  /** options with which it does not wait for the end */
  readonly detaching?: RegExp
  /** options without which it does not wait for the end */
  readonly attaching?: RegExp
}

/** It ends as soon as what it names has begun, whatever its options. */
export const ENDS_EARLY: Starter = { rest: 'nothing', attaching: /(?!)/ }
