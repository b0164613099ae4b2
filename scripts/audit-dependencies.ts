/**
 * `bun run audit`: checks that every package is pinned, has a hash and an allowed licence, and has no known advisory. The exit
 * status is 1 when one does not. It prints a warning when the registry can't be asked for advisories.
 */
import { join } from 'node:path'
import manifest from '../package.json'
import { loosePins, problemsOf } from './dependency-rules.ts'
import { readPackages } from './packages.ts'

const ROOT = join(import.meta.dir, '..')

interface Advisory {
  readonly id?: number
  readonly title?: string
  readonly severity?: string
  readonly vulnerable_versions?: string
  readonly url?: string
}

type Advisories =
  | { readonly kind: 'answered'; readonly byPackage: Readonly<Record<string, readonly Advisory[]>> }
  | { readonly kind: 'unreachable'; readonly reason: string }

/** Runs `bun audit`, whose exit status doesn't distinguish an advisory from an unreachable service. */
async function readAdvisories(): Promise<Advisories> {
  const audit = Bun.spawn([process.execPath, 'audit', '--json'], { cwd: ROOT, stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([audit.stdout.text(), audit.stderr.text(), audit.exited])
  const byPackage = parseObject(out)
  if (byPackage) return { kind: 'answered', byPackage: byPackage as Record<string, Advisory[]> }
  const reason = err.split('\n').find((line) => line.startsWith('error'))
  return { kind: 'unreachable', reason: reason ?? 'the answer could not be read' }
}

function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

function advisoryWords(name: string, { title, severity, vulnerable_versions, url }: Advisory): string {
  return `${name} (${vulnerable_versions}): ${severity}: ${title} ${url}`
}

const say = (line: string) => void process.stdout.write(`${line}\n`)

const packages = readPackages(ROOT)
const problems = [
  ...loosePins({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.overrides }),
  ...packages.flatMap(problemsOf),
]
const ofProgram = packages.filter(({ isProduction }) => isProduction).length
const elsewhere = packages.filter(({ installed }) => installed === null).length
say(
  `${ofProgram} packages in the program, ${packages.length - ofProgram} for development (${elsewhere} for other platforms)`,
)
for (const problem of problems) say(`problem: ${problem}`)
if (problems.length === 0) say('pins, hashes, licences, install scripts: no problems')

const advisories = await readAdvisories()
const known =
  advisories.kind === 'answered'
    ? Object.entries(advisories.byPackage).flatMap(([name, list]) => list.map((one) => advisoryWords(name, one)))
    : []
if (advisories.kind === 'unreachable') say(`WARNING: could not look up advisories: ${advisories.reason}`)
else if (known.length === 0) say('advisories: none known')
for (const advisory of known) say(`advisory: ${advisory}`)

process.exitCode = problems.length + known.length > 0 ? 1 : 0
