/** Programs that run a script, and which of their words is that script. */
import { lastComponent } from './plain-path.ts'

export const SHELLS = /^(?:ba|da|z|k|a|mk)?sh$/
const ENDINGS = /\.(?:py|sh|bash|pl|rb|php|m?js|ts|jar|R|ps1|phar|exe|dll)$/

/** True for a name with an ending that only scripts and programs have. */
export const isScriptName = (word: string) => ENDINGS.test(word)

interface Interpreter {
  /** options with a value, which is the next word, or the rest of one letter's word */
  readonly valued?: readonly string[]
  /** letters with the program itself behind them, so there is no script */
  readonly code?: string
  /** letters whose value, if any, is the rest of the word */
  readonly attached?: string
  /** options whose value is the script, or a module in its place */
  readonly script?: readonly string[]
  /** the first word that is no option may be one of these, with options of its own behind it */
  readonly verbs?: readonly string[]
  /** options have one `-` and more letters than one */
  readonly hasLongNames?: boolean
  /** only a word with such an ending is a script */
  readonly needsEnding?: boolean
}

const list = (words: string) => words.split(' ')
const SHELL: Interpreter = { valued: list('-o +o -O +O --rcfile --init-file'), code: 'cs' }
const PYTHON: Interpreter = { valued: list('-W -X -Q --check-hash-based-pycs'), code: 'c', script: ['-m'] }
const NODE: Interpreter = {
  valued: list(
    '-r --require --import --loader --experimental-loader --env-file -C --conditions --title --input-type --icu-data-dir',
  ),
  code: 'ep',
}
const PHP: Interpreter = { valued: list('-d -c -z -t -S --define --php-ini'), code: 'rBRFE', script: ['-f', '--file'] }
const JAVA: Interpreter = {
  valued: list(
    '-cp -classpath --class-path -p --module-path --upgrade-module-path --add-modules --add-opens --add-exports --add-reads --patch-module ' +
      '--limit-modules --enable-native-access --source',
  ),
  script: list('-jar -m --module'),
  hasLongNames: true,
}
const POWERSHELL: Interpreter = {
  valued: list(
    '-executionpolicy -ep -ex -workingdirectory -wd -configurationname -inputformat -outputformat -windowstyle -version',
  ),
  script: ['-file', '-f'],
  hasLongNames: true,
  needsEnding: true,
}

const INTERPRETERS: readonly (readonly [RegExp, Interpreter])[] = [
  [SHELLS, SHELL],
  [/^(?:python|pypy)[\d.]*$/, PYTHON],
  [/^perl[\d.]*$/, { valued: ['-I'], code: 'eE', attached: 'MmCDFVx' }],
  [/^ruby[\d.]*$/, { valued: list('-C -E -I -r -X --encoding'), code: 'e', attached: 'FTKWx' }],
  [/^php[\d.]*$/, PHP],
  [/^(?:node|nodejs)$/, NODE],
  [/^deno$/, { valued: list('-c --config --import-map --lock --cert --env-file'), code: 'e', verbs: ['run'] }],
  [/^bun$/, { valued: list('-r --preload -c --config --cwd'), code: 'ep', verbs: ['run'] }],
  [/^java$/, JAVA],
  [/^Rscript$/, { code: 'e' }],
  [/^pwsh$/, POWERSHELL],
  [
    /^(?:dotnet|mono|wine)$/,
    { needsEnding: true, valued: list('--runtimeconfig --depsfile --additionalprobingpath --fx-version') },
  ],
]

const interpreterOf = (program: string) => INTERPRETERS.find(([names]) => names.test(program))?.[1] ?? null

export const isInterpreter = (program: string) => interpreterOf(program) !== null

interface Script {
  readonly name: string
  /** the words that the script gets */
  readonly behind: readonly string[]
}

/** The script that an interpreter runs. @param words behind the interpreter. @returns null if there is none, or it cannot be told from a value of an option */
export function scriptOf(program: string, words: readonly string[]): Script | null {
  const interpreter = interpreterOf(program)
  if (interpreter === null) return null
  let mayBeValue = false
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const option = interpreter.hasLongNames ? word.toLowerCase() : word
    if (interpreter.script?.includes(option)) return scriptAt(words, at + 1)
    if (interpreter.verbs?.includes(word)) continue
    if (!/^[-+]./.test(word)) {
      const isScript = isScriptName(word) || (!interpreter.needsEnding && (!mayBeValue || word.includes('/')))
      return isScript ? scriptAt(words, at) : null
    }
    const read = readOption(option, interpreter)
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

/** `value`: the next word is its value. `script`: the next word is the script. `code`: there is none. `flag`: the next word is none of its. */
function readOption(
  option: string,
  { valued = [], code = '', attached = '', script = [], hasLongNames = false }: Interpreter,
): 'value' | 'script' | 'code' | 'flag' | 'unknown' {
  if (valued.includes(option)) return 'value'
  if (option.includes('=')) return 'flag'
  if (hasLongNames) return /^-(?:command|c|encodedcommand|ec?)$/.test(option) ? 'code' : 'flag'
  if (option.startsWith('--'))
    return /^--(?:eval|print|run)$/.test(option) ? 'code' : option === '--' ? 'flag' : 'unknown'
  const letters = [...option.slice(1)]
  const sign = option[0] ?? ''
  for (const [index, letter] of letters.entries()) {
    const isLast = index === letters.length - 1
    if (code.includes(letter)) return 'code'
    if (script.includes(sign + letter)) return isLast ? 'script' : 'unknown'
    if (valued.includes(sign + letter)) return isLast ? 'value' : 'flag'
    if (attached.includes(letter)) return 'flag'
  }
  return 'flag'
}
