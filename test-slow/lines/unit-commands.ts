/** Commands in a unit file, as systemd.service(5) and systemd.syntax(7) read them. */

interface UnitCommand {
  /** the program and its arguments */
  readonly words: readonly string[]
  /** true: its failure does not matter to the service */
  readonly isIgnored: boolean
}

/** @param setting such as `ExecStopPost` */
export function unitCommands(unit: string, setting: string): readonly UnitCommand[] {
  const lines = unit
    .split('\n')
    .filter((line) => !/^\s*[#;]/.test(line))
    .join('\n')
    .replaceAll('\\\n', ' ')
    .split('\n')
  return lines
    .filter((line) => line.startsWith(`${setting}=`))
    .map((line) => {
      const [, prefix = '', text = ''] = /^([-@:+!]*)(.*)$/.exec(line.slice(setting.length + 1)) ?? []
      return { words: wordsOf(text), isIgnored: prefix.includes('-') }
    })
}

/** Splits text into words. Quotes are removed, and C escapes, doubled percent signs and doubled dollar signs become one character. */
function wordsOf(text: string): readonly string[] {
  const words = [...text.matchAll(/'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|(\S+)/g)]
  return words.map(([, single, double, bare]) =>
    (single ?? double ?? bare ?? '').replaceAll(/\\(.)/g, '$1').replaceAll('%%', '%').replaceAll('$$', '$'),
  )
}
