/** Determines whether the pods of a Kubernetes CronJob can reach the server's address. */

import { at, listAt, type Tree, textAt } from '../tree.ts'
import { isAddress, isInCluster } from './network.ts'
import { POD } from './objects.ts'

/** An obstacle that keeps pods from reaching the server. */
interface Obstacle {
  /** a sentence */
  readonly reason: string
  /** a sentence */
  readonly advice: string
  /** true if no ping can ever arrive */
  readonly isCertain: boolean
}

/** @param server ping URL @returns null if no obstacle is known */
export function addressObstacle(cronJob: Tree, server: URL): Obstacle | null {
  const { hostname } = server
  if (isLoopback(hostname)) {
    const advice = 'Set SITE_ROOT or PING_ENDPOINT, and run the command again.'
    return { reason: `Its pods cannot reach ${hostname}.`, advice, isCertain: false }
  }
  if (isAddress(server)) return null
  const alias = listAt(cronJob, ...POD, 'hostAliases').find((entry) => namesHost(entry, hostname))
  return alias === undefined ? resolverObstacle(cronJob, server) : aliasObstacle(textAt(alias, 'ip') ?? '', hostname)
}

/** Returns true if the host is the pod itself. */
const isLoopback = (host: string) => /^localhost$|^127\.|^\[?::1\]?$|^0\.0\.0\.0$/.test(host)

const namesHost = (entry: Tree, hostname: string) =>
  listAt(entry, 'hostnames').some((name) => typeof name === 'string' && name.toLowerCase() === hostname)

/** Describes an entry in a pod's `/etc/hosts`, which takes precedence over DNS. */
function aliasObstacle(ip: string, hostname: string): Obstacle {
  const address = /^[\da-f.:]{2,45}$/i.test(ip) ? ip : 'another address'
  const reason = `Its hostAliases give ${hostname} the address ${address}`
  return isLoopback(ip)
    ? { reason: `${reason}, that of the pod itself, so no patch is written.`, advice: REMOVE_ALIAS, isCertain: true }
    : { reason: `${reason}.`, advice: 'Make sure that the server answers there.', isCertain: false }
}

const REMOVE_ALIAS = 'Remove that entry, and run the command again.'

function resolverObstacle(cronJob: Tree, server: URL): Obstacle | null {
  const { hostname } = server
  const policy = at(cronJob, ...POD, 'dnsPolicy')
  if (policy === 'None') return ownResolversObstacle(cronJob, server)
  const asksNode = policy === 'Default' || (isOnNode(cronJob) && policy !== 'ClusterFirstWithHostNet')
  if (!asksNode || !isInCluster(server)) return null
  const reason = `Its pods use the DNS servers of their node, which do not resolve ${hostname}.`
  return { reason, advice: `Set its dnsPolicy to ClusterFirstWithHostNet, or ${OTHER_NAME}`, isCertain: false }
}

function ownResolversObstacle(cronJob: Tree, server: URL): Obstacle {
  const { hostname } = server
  const resolvers = listAt(cronJob, ...POD, 'dnsConfig', 'nameservers')
  if (resolvers.length === 0) {
    const reason = `${OWN_RESOLVERS} It names none, which Kubernetes rejects, so no patch is written.`
    return { reason, advice: 'Name them in dnsConfig, and run the command again.', isCertain: true }
  }
  if (isInCluster(server) && resolvers.every((ip) => PUBLIC_RESOLVERS.test(String(ip)))) {
    const reason = `${OWN_RESOLVERS} These do not resolve ${hostname}, so no patch is written.`
    return { reason, advice: `Remove its dnsPolicy, or ${OTHER_NAME}`, isCertain: true }
  }
  return { reason: OWN_RESOLVERS, advice: `Make sure that these resolve ${hostname}.`, isCertain: false }
}

const OWN_RESOLVERS = 'Its pods use their own DNS servers.'
const OTHER_NAME = 'set PING_ENDPOINT to an address that they resolve.'
/** Matches the resolvers of Google, Cloudflare, Quad9 and Cisco. They cannot resolve the names in a cluster. */
const PUBLIC_RESOLVERS =
  /^(?:8\.8\.8\.8|8\.8\.4\.4|1\.[01]\.[01]\.[123]|9\.9\.9\.\d+|149\.112\.112\.\d+|208\.67\.22[02]\.22[02]|2001:4860:4860::88(?:88|44)|2606:4700:4700::1[01]+|2620:fe::f?e?9?)$/

/** Returns true if the CronJob's pods use the network of their node. */
export const isOnNode = (cronJob: Tree) => at(cronJob, ...POD, 'hostNetwork') === true
