/** What the door asks about people. Who is signed in, and what they may see, is read at every request. */
import type { Person, PersonActor } from '../../domain/actor.ts'
import { enterProject, listBriefsOf } from '../../services/accounts/members.ts'
import { findRemoteUser } from '../../services/accounts/remote-user.ts'
import { findSignedIn, personOf } from '../../services/accounts/sessions.ts'
import type { Deps } from '../../services/deps.ts'
import { type ClientReader, type Sockets, socketAddressOf } from '../client.ts'
import { readSessionCookie } from './cookie.ts'
import type { ProjectLink } from './layout/frame.ts'
import type { Identity } from './route.ts'

/** @param sockets null when the request did not come over a socket @returns null when nobody is signed in */
export type Identify = (request: Request, sockets: Sockets | null) => Promise<Identity | null>

export interface People {
  readonly identify: Identify
  /** @returns null for a project that does not exist, and for one that the person may not know of */
  findProject(person: Person, slug: string): Promise<PersonActor | null>
  /** The projects that the person may see, in the order of the switcher. */
  listProjects(person: Person): Promise<readonly ProjectLink[]>
}

export type PeopleDeps = Pick<Deps, 'store' | 'now' | 'random'> & {
  readonly clients: ClientReader
  /** in lower case; null: no proxy says who is signed in */
  readonly remoteUserHeader: string | null
}

export function createPeople(deps: PeopleDeps): People {
  return {
    identify: deps.remoteUserHeader === null ? bySession(deps) : byProxy(deps, deps.remoteUserHeader),
    findProject: (person, slug) => enterProject(deps, person, slug),
    listProjects: (person) => listBriefsOf(deps, person),
  }
}

function bySession(deps: PeopleDeps): Identify {
  return async (request, sockets) => {
    const token = readSessionCookie(request.headers)
    if (token === null) return null
    const { address } = deps.clients.read(request.headers, socketAddressOf(request, sockets))
    const found = await findSignedIn(deps, token, address)
    return found && { ...found, person: personOf(found.account, address) }
  }
}

/** The proxy alone says who it is: a session from before the setting counts no more. */
function byProxy(deps: PeopleDeps, header: string): Identify {
  return async (request, sockets) => {
    const socketAddress = socketAddressOf(request, sockets)
    const email = request.headers.get(header)
    if (!email || socketAddress === null || !deps.clients.isTrusted(socketAddress)) return null
    const { address } = deps.clients.read(request.headers, socketAddress)
    const account = await findRemoteUser(deps, email, address)
    return account && { account, person: personOf(account, address), session: null }
  }
}
