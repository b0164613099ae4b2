/** Names of jobs, from the names of their programs only: the other words of a command line may be passwords. */

/** For a command line from which no program can be read. */
const UNNAMED = 'job'
const PATH = /^[\w.@+~/-]*\w[\w.@+~/-]*$/
const NAME_LIMIT = 80

/** Programs that begin another one, with their options that take a value. Any other option ends the search. */
const STARTERS: Readonly<Record<string, string>> = {
  chronic: '',
  cronic: '',
  env: 'u',
  exec: '',
  ionice: 'cn',
  nice: 'n',
  nohup: '',
  setsid: '',
  sudo: 'ugC',
  time: '',
  timeout: 'ks',
}
/** Flags of starters that take no value. */
const FLAGS = 'EHnvebifqwc'
const INTERPRETERS = /^(?:(?:ba|da|z|k|a)?sh|python[\d.]*|perl|ruby|php[\d.]*|node|deno|bun|java|Rscript|pwsh)$/
/** What stands before the job proper, or after it. */
const GUARDS = new Set('cd test [ [[ . source sleep export umask set true ulimit fi done }'.split(' '))
/** Words of shells before a command. */
const OPENERS = new Set('{ ! if then else while until do'.split(' '))
const SCRIPT = /\/|\.(?:py|sh|bash|pl|rb|php|m?js|ts|jar|R|ps1)$/

/**
 * The last component of the path of the program, or of the script that an interpreter runs: `python3 /opt/x/backup.py --all` gives
 * `backup.py`, `run-parts /etc/cron.daily` gives `cron.daily`.
 */
export function jobName(command: string): string {
  for (const words of commandsOf(command)) {
    const name = nameOf(words)
    if (name !== null) return name
  }
  return UNNAMED
}

/** Null: the words only prepare the job. */
function nameOf(words: readonly string[]): string | null {
  const opened = words.findIndex((word) => !OPENERS.has(word))
  let rest: readonly string[] = opened < 0 ? [] : words.slice(opened)
  for (;;) {
    const first = rest.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))
    if (first < 0) return null
    rest = rest.slice(first)
    const program = lastComponent(rest[0] ?? '')
    if (GUARDS.has(rest[0] ?? '')) return null
    if (program === null) return UNNAMED
    if (program === 'run-parts') return folderOf(rest) ?? program
    if (INTERPRETERS.test(program)) return scriptOf(rest) ?? program
    if (!Object.hasOwn(STARTERS, program)) return program
    const begun = afterStarter(rest, STARTERS[program] ?? '')
    if (begun === null) return program
    rest = program === 'timeout' ? begun.slice(1) : begun
    if (rest.length === 0) return program
  }
}

/** @returns the words of the program that a starter begins; null when its options are not known */
function afterStarter(words: readonly string[], valued: string): readonly string[] | null {
  let at = 1
  for (let word = words[at]; word?.startsWith('-'); word = words[at]) {
    const letter = word.charAt(1)
    if (/^-[a-zA-Z]$/.test(word) && valued.includes(letter)) at += 2
    else if (/^-[a-zA-Z]\d+$/.test(word) && valued.includes(letter)) at += 1
    else if (/^-[a-zA-Z]$/.test(word) && FLAGS.includes(letter)) at += 1
    else return null
  }
  return words.slice(at)
}

function scriptOf(words: readonly string[]): string | null {
  const at = words.findIndex((word, index) => index > 0 && !word.startsWith('-'))
  const [before = '', script] = words.slice(at - 1)
  if (at < 0 || script === undefined || /^-\w*[cer]$/.test(before)) return null
  // A bare word may be the value of the option before it.
  const isScript = at === 1 || before === '-m' || SCRIPT.test(script)
  return isScript ? lastComponent(script) : null
}

function folderOf(words: readonly string[]): string | null {
  const folder = words.slice(1).findLast((word) => word.startsWith('/'))
  return folder === undefined ? null : lastComponent(folder)
}

/** Null for what a shell still has to expand, and for anything that is not a plain name. */
function lastComponent(path: string): string | null {
  const name = path.replace(/\/+$/, '').split('/').at(-1) ?? ''
  return PATH.test(path) && name.length <= NAME_LIMIT ? name : null
}

/** The simple commands of a line, each as its words; quotes are removed. What is in quotes never begins another command. */
function commandsOf(line: string): string[][] {
  const commands: string[][] = [[]]
  const pattern = /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|([;&|()\n]+)|(\s+)|(#.*$)?([^\s;&|()])?/gs
  let word: string | null = null
  const endWord = () => {
    if (word !== null) commands.at(-1)?.push(word)
    word = null
  }
  for (const [whole, single, double, escaped, separator, space, comment, plain] of line.matchAll(pattern)) {
    if (whole === '') continue
    if (separator !== undefined) {
      endWord()
      commands.push([])
    } else if (space !== undefined) endWord()
    else if (comment !== undefined && word === null) break
    else word = (word ?? '') + (single ?? double ?? escaped ?? plain ?? '')
  }
  endWord()
  return commands.filter((words) => words.length > 0)
}
