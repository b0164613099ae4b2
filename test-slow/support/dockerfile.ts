/** Reads a Dockerfile: what a build would do, step by step. Only what ours uses is understood; anything else is an error. */

export interface Instruction {
  /** In capitals: `COPY`. */
  readonly name: string
  /** `--from=build` is `{ from: 'build' }`. */
  readonly flags: Readonly<Record<string, string>>
  /** Of the JSON form its items, otherwise what stands between spaces. */
  readonly words: readonly string[]
  /** All that follows the flags, as it is written. */
  readonly text: string
}

export interface Stage {
  /** The image that it begins with. */
  readonly base: string
  /** How later stages call it; empty when they do not. */
  readonly name: string
  readonly steps: readonly Instruction[]
}

/** @throws on a Dockerfile that does not begin with `FROM` */
export function parseDockerfile(source: string): Stage[] {
  const stages: { base: string; name: string; steps: Instruction[] }[] = []
  for (const instruction of source
    .replace(/^[ \t]*#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .flatMap(parseLine)) {
    const [base = '', , name = ''] = instruction.words
    const stage = stages.at(-1)
    if (instruction.name === 'FROM') stages.push({ base, name, steps: [] })
    else if (stage) stage.steps.push(instruction)
    else throw new Error(`${instruction.name} stands before the first FROM`)
  }
  return stages
}

function parseLine(line: string): Instruction[] {
  const [, name, rest = ''] = /^\s*([A-Za-z]+)\s+(.*?)\s*$/.exec(line) ?? []
  if (name === undefined) {
    if (line.trim() === '') return []
    throw new Error(`not understood: ${line}`)
  }
  const [options = ''] = /^(?:--\S+\s+)*/.exec(rest) ?? []
  const flags = [...options.matchAll(/--([a-z-]+)=(\S+)/g)].map(([, key = '', value = '']) => [key, value] as const)
  const text = rest.slice(options.length)
  const words = text.startsWith('[') ? (JSON.parse(text) as string[]) : text.split(/\s+/)
  return [{ name: name.toUpperCase(), flags: Object.fromEntries(flags), words, text }]
}

/** `A=1 B="x y"` of `ENV` and `LABEL`. */
export function parsePairs(text: string): Record<string, string> {
  const pairs = text.matchAll(/([\w.-]+)=(?:"([^"]*)"|(\S*))/g)
  return Object.fromEntries([...pairs].map(([, key = '', quoted, plain = '']) => [key, quoted ?? plain]))
}

/**
 * Whether a path at the top of the context reaches the build.
 * @param ignore the text of a `.dockerignore` that shuts everything out and lets single names in
 */
export function contextFilter(ignore: string): (path: string) => boolean {
  const [first, ...others] = ignore.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  if (first !== '*' || !others.every((line) => /^![\w.-]+$/.test(line))) {
    throw new Error('.dockerignore: a first line * and lines like !src are understood')
  }
  const allowed = new Set(others.map((line) => line.slice(1)))
  return (path) => allowed.has(path.split('/')[0] ?? '')
}
