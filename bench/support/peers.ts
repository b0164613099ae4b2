/** Other programs for the same purpose: choice by `--peer`, and what the bench needs of each. */
import type { Load } from './rounds.ts'

/** A program that takes turns with others. */
export interface Peer {
  /** name with the version, if that is known */
  readonly name: string
  /** paths of its checks, each of which accepts a ping */
  readonly paths: readonly string[]
  /** Returns a load of pings over so many connections. */
  pings(connections: number): Load
  start(): Promise<RunningPeer>
}

interface RunningPeer {
  /** port on 127.0.0.1 */
  readonly port: number
  /** null for a server that was started separately */
  readonly own: { readonly pid: number; readonly startMilliseconds: number } | null
  stop(): Promise<void>
}

/** A value of `--peer`. */
export type PeerChoice =
  /** source of Healthchecks, a directory */
  | { readonly program: 'healthchecks'; readonly place: string }
  /** executable of Gatus, a path or a name to be found on PATH */
  | { readonly program: 'gatus'; readonly place: string }
  /** ping URLs of one server that was started separately */
  | { readonly program: 'any'; readonly urls: readonly URL[] }

/** Error for a program that is missing, or lacks a dependency. The message names it. */
export class NotInstalled extends Error {}

const HELP = '--peer takes healthchecks=DIRECTORY, gatus=FILE or a ping URL http://127.0.0.1:PORT/…'

/**
 * @param given values of `--peer`; all ping URLs among them belong to one server
 * @throws Error for anything else, and for URLs of other machines, on which a benchmark must not put load
 */
export function choosePeers(given: readonly string[]): PeerChoice[] {
  const urls = given.filter((value) => URL.canParse(value)).map((value) => new URL(value))
  const programs = given.filter((value) => !URL.canParse(value)).map(chooseProgram)
  const names = programs.map(({ program }) => program)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw new Error(`--peer ${twice}=… was given twice`)
  const stray = urls.find((url) => !isLocal(url) || url.host !== urls[0]?.host)
  if (stray !== undefined)
    throw new Error(`--peer ${stray.href}: ping URLs are http://127.0.0.1:PORT/…, all of one server`)
  return urls.length === 0 ? programs : [...programs, { program: 'any', urls }]
}

function chooseProgram(value: string): PeerChoice {
  const [program = '', ...rest] = value.split('=')
  const place = rest.join('=')
  if ((program !== 'healthchecks' && program !== 'gatus') || place === '') throw new Error(`${HELP}, not "${value}"`)
  return { program, place }
}

function isLocal({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname)
}

/** Returns a server that was started separately. It must answer pings with `OK` and keep connections alive. */
export function peerAt(urls: readonly URL[], pings: (connections: number) => Load): Peer {
  const port = Number(urls[0]?.port || 80)
  return {
    name: `port ${port}`,
    paths: urls.map(({ pathname, search }) => pathname + search),
    pings,
    start: async () => ({ port, own: null, stop: async () => {} }),
  }
}
