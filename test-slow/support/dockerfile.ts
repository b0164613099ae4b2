/** Parses a Dockerfile into stages and steps. It supports only what our Dockerfile uses; anything else is an error. */
import { Glob } from 'bun'

export interface Instruction {
  /** name in upper case: `COPY` */
  readonly name: string
  /** flags; `--from=build` is `{ from: 'build' }` */
  readonly flags: Readonly<Record<string, string>>
  /** items of the JSON form, otherwise the words between spaces */
  readonly words: readonly string[]
  /** unparsed text after the flags */
  readonly text: string
}

interface Stage {
  /** base image */
  readonly base: string
  /** name of the stage; empty when it has none */
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
    else throw new Error(`${instruction.name} comes before the first FROM`)
  }
  return stages
}

function parseLine(line: string): Instruction[] {
  const [, name, rest = ''] = /^\s*([A-Za-z]+)\s+(.*?)\s*$/.exec(line) ?? []
  if (name === undefined) {
    if (line.trim() === '') return []
    throw new Error(`cannot parse: ${line}`)
  }
  const [options = ''] = /^(?:--\S+\s+)*/.exec(rest) ?? []
  const flags = [...options.matchAll(/--([a-z-]+)=(\S+)/g)].map(([, key = '', value = '']) => [key, value] as const)
  const text = rest.slice(options.length)
  const words = text.startsWith('[') ? (JSON.parse(text) as string[]) : text.split(/\s+/)
  return [{ name: name.toUpperCase(), flags: Object.fromEntries(flags), words, text }]
}

/** Parses `A=1 B="x y"`, as in `ENV` and `LABEL`. */
export function parsePairs(text: string): Record<string, string> {
  const pairs = text.matchAll(/([\w.-]+)=(?:"([^"]*)"|(\S*))/g)
  return Object.fromEntries([...pairs].map(([, key = '', quoted, plain = '']) => [key, quoted ?? plain]))
}

/**
 * Returns a function that decides whether a path of the context is included in the build.
 * @param ignore the text of a `.dockerignore` that excludes everything and includes names at the top, or files like `docs/*.md`
 */
export function contextFilter(ignore: string): (path: string) => boolean {
  const [first, ...others] = ignore.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  if (first !== '*' || !others.every((line) => /^![\w.-]+(?:\/[\w.*-]+)*$/.test(line))) {
    throw new Error('.dockerignore: only a first line * and lines like !src or !docs/*.md are supported')
  }
  const allowed = others.map((line) => line.slice(1)).flatMap((name) => [new Glob(name), new Glob(`${name}/**`)])
  return (path) => allowed.some((glob) => glob.match(path))
}
