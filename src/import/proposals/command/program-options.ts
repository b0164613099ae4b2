/** Parses a program's options, to find which words are option values and where the options end. */

export interface OptionNames {
  /** letters of short options without a value */
  readonly flags?: string
  /** letters of short options with a value */
  readonly valued?: string
  /**
   * names of long options without a value, separated by spaces; options written with `=` need not be listed; `*` means all options that are
   * not in `longValued`
   */
  readonly longFlags?: string
  /** names of long options whose value is the next word */
  readonly longValued?: string
}

interface ReadOptions {
  /** options with their values */
  readonly options: readonly string[]
  readonly rest: readonly string[]
}

/** @param words words after the program @returns null if an option is unknown; its value could otherwise be mistaken for a program */
export function readOptions(words: readonly string[], names: OptionNames): ReadOptions | null {
  let at = 0
  for (let word = words[at]; word?.startsWith('-') && word !== '--'; word = words[at]) {
    const taken = word.startsWith('--') ? wordsOfLong(word.slice(2), names) : wordsOfShort(word.slice(1), names)
    if (taken === null) return null
    at += taken
  }
  const rest = words.slice(words[at] === '--' ? at + 1 : at)
  return { options: words.slice(0, at), rest }
}

function wordsOfLong(option: string, { longFlags = '', longValued = '' }: OptionNames): number | null {
  if (option.includes('=') || longFlags.split(' ').includes(option)) return 1
  if (longValued.split(' ').includes(option)) return 2
  return longFlags === '*' ? 1 : null
}

/** Returns the number of words that a short option and its value consist of. `-` alone is an option of `env` and `su`. */
function wordsOfShort(letters: string, { flags = '', valued = '' }: OptionNames): number | null {
  for (const [index, letter] of [...letters].entries()) {
    if (valued.includes(letter)) return index === letters.length - 1 ? 2 : 1
    if (!flags.includes(letter)) return null
  }
  return 1
}

/**
 * Returns the value of an option, or null if the option is not given.
 * @param option its capture group matches a value in the same word; if the group is empty, the next word is the value
 */
export function optionValue(options: readonly string[], option: RegExp): string | null {
  const at = options.findIndex((word) => option.test(word))
  return at < 0 ? null : option.exec(options[at] ?? '')?.[1] || (options[at + 1] ?? null)
}
