/**
 * `bun run audit`: every package is pinned, whole, under a licence that is allowed, and without a known advisory. Ends with
 * 1 when one is not. Where the registry has no service for advisories, that is said, and nothing is concluded from it.
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
  | { readonly kind: 'told'; readonly byPackage: Readonly<Record<string, readonly Advisory[]>> }
  | { readonly kind: 'unreachable'; readonly reason: string }

/** Asks Bun, whose exit status does not tell an advisory from a service that is not there. */
async function readAdvisories(): Promise<Advisories> {
  const asked = Bun.spawn([process.execPath, 'audit', '--json'], { cwd: ROOT, stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([asked.stdout.text(), asked.stderr.text(), asked.exited])
  const byPackage = parseObject(out)
  if (byPackage) return { kind: 'told', byPackage: byPackage as Record<string, Advisory[]> }
  const reason = err.split('\n').find((line) => line.startsWith('error'))
  return { kind: 'unreachable', reason: reason ?? 'no answer that could be read' }
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
  `${ofProgram} packages of the program, ${packages.length - ofProgram} of its tools (${elsewhere} for other machines)`,
)
for (const problem of problems) say(`problem: ${problem}`)
if (problems.length === 0) say('pins, hashes, licences, install scripts: as they should be')

const advisories = await readAdvisories()
const known =
  advisories.kind === 'told'
    ? Object.entries(advisories.byPackage).flatMap(([name, list]) => list.map((one) => advisoryWords(name, one)))
    : []
if (advisories.kind === 'unreachable') say(`WARNING: advisories were NOT looked up: ${advisories.reason}`)
else if (known.length === 0) say('advisories: none known')
for (const advisory of known) say(`advisory: ${advisory}`)

process.exitCode = problems.length + known.length > 0 ? 1 : 0
