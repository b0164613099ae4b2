/** People as the door sees them. The signed-in person and their rights are read at every request. */
import type { Account } from '../../domain/account/account.ts'
import type { Person, PersonActor } from '../../domain/actor.ts'
import { needsConfirmation } from '../../services/accounts/sign-in/confirmation.ts'
import { findRemoteUser, welcomeRemoteUser } from '../../services/accounts/sign-in/remote-user.ts'
import { findSignedIn, personOf, type SignedIn, useSession } from '../../services/accounts/sign-in/sessions.ts'
import { countUndelivered } from '../../services/alerts/delivery-list.ts'
import { countAdvised } from '../../services/checks/shown-advice.ts'
import { accessRevision, enterProject, listBriefsOf } from '../../services/projects/members.ts'
import { type Sockets, socketAddressOf } from '../client.ts'
import type { HttpDeps } from '../deps.ts'
import { readSessionCookie } from './cookie.ts'
import type { ProjectLink } from './layout/frame.ts'
import type { Identity } from './route.ts'

/** @param sockets null if the request was not received over a socket @returns null if nobody is signed in */
export type Identify = (request: Request, sockets: Sockets | null) => Promise<Identity | null>

export interface People {
  readonly identify: Identify
  /** Like {@link identify}, but it extends no session and creates no account: streams call it without an action of their reader. */
  readonly recall: Identify
  /** Returns the person whom the proxy names, also without an account; null if it names nobody, or no trusted proxy does. */
  remoteUser(request: Request, sockets: Sockets | null): string | null
  /** @returns null for a project that does not exist, and for one whose existence the person may not know */
  findProject(person: Person, slug: string): Promise<PersonActor | null>
  /** Returns a value that changes whenever anyone's access changes. */
  accessRevision(): string
  /** Returns the projects that the person may see, in the order of the switcher. */
  listProjects(person: Person): Promise<readonly ProjectLink[]>
  /** Whether the person must prove their identity again before a sensitive action. */
  needsConfirmation(identity: Identity): Promise<boolean>
  /** Counts alerts of the project that wait or failed lately, up to `COUNTED_AT_MOST`. */
  countUndelivered(projectId: string): Promise<number>
  /** Counts checks of the project that show an advice. */
  countAdvised(projectId: string): Promise<number>
}

type PeopleDeps = Pick<HttpDeps, 'store' | 'now' | 'random' | 'remoteUserHeader' | 'signInRules' | 'clients'>

export function createPeople(deps: PeopleDeps): People {
  const { remoteUserHeader: header } = deps
  return {
    ...(header === null ? bySession(deps) : byProxy(deps, header)),
    findProject: (person, slug) => enterProject(deps, person, slug),
    accessRevision: () => accessRevision(deps),
    listProjects: (person) => listBriefsOf(deps, person),
    needsConfirmation: ({ account, session }) => needsConfirmation(deps, account, session),
    countUndelivered: async (projectId) => (await countUndelivered(deps, [projectId]))[0] ?? 0,
    countAdvised: (projectId) => countAdvised(deps, projectId),
  }
}

type Identifies = Pick<People, 'identify' | 'recall' | 'remoteUser'>

function bySession(deps: PeopleDeps): Identifies {
  const identifyWith =
    (find: (token: string, address: string | null) => Promise<SignedIn | null>): Identify =>
    async (request, sockets) => {
      const token = readSessionCookie(request.headers)
      if (token === null) return null
      const { address } = deps.clients.read(request.headers, socketAddressOf(request, sockets))
      const found = await find(token, address)
      return found && { ...found, person: personOf(found.account, address) }
    }
  return {
    identify: identifyWith((token, address) => useSession(deps, token, address)),
    recall: identifyWith((token) => findSignedIn(deps, token)),
    remoteUser: () => null,
  }
}

/** Identifies people by the proxy alone: a session from before the setting no longer counts. */
function byProxy(deps: PeopleDeps, header: string): Identifies {
  const remoteUser: People['remoteUser'] = (request, sockets) => {
    const socketAddress = socketAddressOf(request, sockets)
    const isBelieved = socketAddress !== null && deps.clients.isTrusted(socketAddress)
    return (isBelieved && request.headers.get(header)) || null
  }
  const identifyWith =
    (find: (email: string, address: string | null) => Promise<Account | null>): Identify =>
    async (request, sockets) => {
      const email = remoteUser(request, sockets)
      if (email === null) return null
      const { address } = deps.clients.read(request.headers, socketAddressOf(request, sockets))
      const account = await find(email, address)
      return account && { account, person: personOf(account, address), session: null }
    }
  return {
    identify: identifyWith((email, address) => welcomeRemoteUser(deps, email, address)),
    recall: identifyWith((email) => findRemoteUser(deps, email)),
    remoteUser,
  }
}
