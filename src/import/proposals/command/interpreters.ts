/** Programs that run a script, and which of their arguments is the script. */
import { lastComponent } from './plain-path.ts'
import type { OptionNames } from './program-options.ts'

export const SHELLS = /^(?:ba|da|z|k|a|mk)?sh$/
const ENDINGS = /\.(?:py|sh|bash|pl|rb|php|m?js|ts|jar|R|ps1|phar|exe|dll)$/

/** Returns true if a file name has the extension of a script or program. */
export const isScriptName = (word: string) => ENDINGS.test(word)

/** Options that may precede the script of an interpreter. The names have no hyphens and are case-insensitive. */
interface Interpreter extends Pick<OptionNames, 'valued' | 'longValued'> {
  /** option letters that are followed by program text; with such an option there is no script */
  readonly code?: string
  /** option letters whose value, if there is one, is the rest of the word */
  readonly attached?: string
  /** option letters whose value is the script or a module */
  readonly script?: string
  /** long options whose value is the script or a module */
  readonly longScript?: string
  /** a subcommand that may come first, followed by its own options */
  readonly verb?: string
  /** true if long options may begin with a single hyphen */
  readonly hasLongNames?: boolean
  /** true if only a word with a script extension is a script */
  readonly needsEnding?: boolean
}

const INTERPRETERS: readonly (readonly [RegExp, Interpreter])[] = [
  [SHELLS, { valued: 'oO', longValued: 'rcfile init-file', code: 'cs' }],
  [/^(?:python|pypy)[\d.]*$/, { valued: 'WXQ', longValued: 'check-hash-based-pycs', code: 'c', script: 'm' }],
  [/^perl[\d.]*$/, { valued: 'I', code: 'eE', attached: 'MmCDFVx' }],
  [/^ruby[\d.]*$/, { valued: 'CEIrX', longValued: 'encoding', code: 'e', attached: 'FTKWx' }],
  // Hosting panels use names such as `ea-php82`, `alt-php74`, `lsphp81` and `php8.1-sp`.
  [
    /^(?:(?:ea|alt)-)?(?:ls)?php[\d.]*(?:-(?:cli|cgi|sp|\d[\d.]*))?$/,
    { valued: 'dcztS', longValued: 'define php-ini', code: 'rBRFE', script: 'f', longScript: 'file' },
  ],
  [
    /^(?:node|nodejs)$/,
    {
      valued: 'rC',
      longValued: 'require import loader experimental-loader env-file conditions title input-type icu-data-dir',
      code: 'ep',
    },
  ],
  [/^deno$/, { valued: 'c', longValued: 'config import-map lock cert env-file', code: 'e', verb: 'run' }],
  [/^bun$/, { valued: 'rc', longValued: 'preload config cwd', code: 'ep', verb: 'run' }],
  [
    /^java$/,
    {
      longValued:
        'cp classpath class-path p module-path upgrade-module-path add-modules add-opens add-exports add-reads patch-module ' +
        'limit-modules enable-native-access source',
      longScript: 'jar m module',
      hasLongNames: true,
    },
  ],
  [/^Rscript$/, { code: 'e' }],
  [
    /^pwsh$/,
    {
      longValued:
        'executionpolicy ep ex workingdirectory wd configurationname inputformat outputformat windowstyle version',
      longScript: 'file f',
      hasLongNames: true,
      needsEnding: true,
    },
  ],
  [
    /^(?:dotnet|mono|wine)$/,
    { longValued: 'runtimeconfig depsfile additionalprobingpath fx-version', needsEnding: true },
  ],
]

const interpreterOf = (program: string) => INTERPRETERS.find(([names]) => names.test(program))?.[1] ?? null

export const isInterpreter = (program: string) => interpreterOf(program) !== null

interface Script {
  readonly name: string
  /** arguments of the script */
  readonly behind: readonly string[]
}

/**
 * Finds the script that an interpreter runs. @param words words after the interpreter @returns null if there is no script, or if the word
 * found could be the value of an option
 */
export function scriptOf(program: string, words: readonly string[]): Script | null {
  const interpreter = interpreterOf(program)
  if (interpreter === null) return null
  let mayBeValue = false
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word === interpreter.verb) continue
    if (!/^[-+]./.test(word)) {
      const isScript = isScriptName(word) || (!interpreter.needsEnding && (!mayBeValue || word.includes('/')))
      return isScript ? scriptAt(words, at) : null
    }
    const isLong = word.startsWith('--') || interpreter.hasLongNames
    const read = isLong ? readLong(word, interpreter) : readLetters(word.slice(1), interpreter)
    if (read === 'code') return null
    if (read === 'script') return scriptAt(words, at + 1)
    if (read === 'value') at += 1
    mayBeValue = read === 'unknown'
  }
  return null
}

function scriptAt(words: readonly string[], at: number): Script | null {
  const name = lastComponent(words[at] ?? '')
  return name === null ? null : { name, behind: words.slice(at + 1) }
}

/**
 * `value`: the next word is the option's value. `script`: the next word is the script. `code`: there is no script. `flag`: the option has
 * no value.
 */
type Read = 'value' | 'script' | 'code' | 'flag' | 'unknown'

function readLong(option: string, { longValued = '', longScript = '', hasLongNames = false }: Interpreter): Read {
  if (option === '--' || option.includes('=')) return 'flag'
  const name = option.replace(/^--?/, '').toLowerCase()
  if (longScript.split(' ').includes(name)) return 'script'
  if (longValued.split(' ').includes(name)) return 'value'
  if (/^(?:command|c|encodedcommand|ec?|eval|print|run)$/.test(name)) return 'code'
  return hasLongNames ? 'flag' : 'unknown'
}

function readLetters(letters: string, { valued = '', code = '', attached = '', script = '' }: Interpreter): Read {
  for (const [index, letter] of [...letters].entries()) {
    const isLast = index === letters.length - 1
    if (code.includes(letter)) return 'code'
    if (script.includes(letter)) return isLast ? 'script' : 'unknown'
    if (valued.includes(letter)) return isLast ? 'value' : 'flag'
    if (attached.includes(letter)) return 'flag'
  }
  return 'flag'
}
