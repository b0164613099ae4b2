/** Determines whether Kubernetes NetworkPolicies allow pods to reach the server. */

import { at, listAt, type Tree, textAt } from '../tree.ts'
import { type ClusterObject, inSameNamespace } from './objects.ts'

/**
 * Whether pods can reach the server. `open` means that no policy prevents it; `closed` means that no rule allows connections to the
 * server's port, or no rule allows DNS queries; `unknown` means that the result depends on the server's address or on a port name.
 */
export interface Reach {
  readonly kind: 'open' | 'closed' | 'unknown'
  /** names of the policies that apply to the pods */
  readonly policies: readonly string[]
}

interface Port {
  readonly protocol: 'TCP' | 'UDP'
  /** null for any port */
  readonly number: number | null
}

/** Resolvers use UDP, and TCP only for long answers. */
const DNS: Port = { protocol: 'UDP', number: 53 }

/** @param labels labels of the pods @param server ping URL */
export function reachOf(policies: readonly ClusterObject[], cronJob: ClusterObject, labels: Tree, server: URL): Reach {
  const choosing = policies.filter((policy) => inSameNamespace(policy, cronJob) && restricts(policy.tree, labels))
  const names = choosing.map(({ name }) => name)
  if (choosing.length === 0) return { kind: 'open', policies: names }
  const rules = choosing.flatMap(({ tree }) => listAt(tree, 'spec', 'egress'))
  const port = Number(server.port) || (server.protocol === 'http:' ? 80 : 443)
  const ways = [
    // If the host is a service, policies apply to the port of the service's pods.
    reachOfPort(rules, { protocol: 'TCP', number: isInCluster(server) ? null : port }),
    isAddress(server) ? 'open' : reachOfPort(rules, DNS),
  ]
  if (ways.includes('closed')) return { kind: 'closed', policies: names }
  return { kind: ways.includes('unknown') ? 'unknown' : 'open', policies: names }
}

/** Returns true for a host name that only the cluster's DNS servers can resolve. */
export function isInCluster({ hostname }: URL): boolean {
  return /\.svc$|\.cluster\.local$|^[^.:]+$/.test(hostname)
}

export const isAddress = ({ hostname }: URL) => /^\[|^[\d.]+$/.test(hostname)

/** Returns true if a policy restricts outgoing connections of these pods. Without `policyTypes`, a policy does so if it has `egress`. */
function restricts(policy: Tree, labels: Tree): boolean {
  const types = listAt(policy, 'spec', 'policyTypes')
  const isOfEgress = types.length > 0 ? types.includes('Egress') : at(policy, 'spec', 'egress') != null
  return isOfEgress && chooses(at(policy, 'spec', 'podSelector'), labels)
}

/** Returns true if a selector matches. An empty selector selects all pods. */
function chooses(selector: Tree, labels: Tree): boolean {
  const wanted = Object.entries(Object(at(selector, 'matchLabels') ?? {}))
  if (wanted.some(([name, value]) => at(labels, name) !== value)) return false
  return listAt(selector, 'matchExpressions').every((term) => {
    const value = at(labels, textAt(term, 'key') ?? '')
    const isListed = listAt(term, 'values').includes(value)
    const operator = textAt(term, 'operator')
    if (operator === 'In') return isListed
    if (operator === 'NotIn') return !isListed
    return (operator === 'Exists') === (value !== undefined)
  })
}

/** Combines rules. Rules are additive, so one rule that allows everything is enough. */
function reachOfPort(rules: readonly Tree[], port: Port): Reach['kind'] {
  const kinds = rules.map((rule) => reachOfRule(rule, port))
  return kinds.includes('open') ? 'open' : kinds.includes('unknown') ? 'unknown' : 'closed'
}

function reachOfRule(rule: Tree, port: Port): Reach['kind'] {
  const ports = listAt(rule, 'ports')
  const kinds = ports.map((one) => allows(one, port))
  if (ports.length > 0 && !kinds.includes('open')) return kinds.includes('unknown') ? 'unknown' : 'closed'
  // A rule with the DNS port probably allows the cluster's DNS servers.
  return isForAll(listAt(rule, 'to')) || (port === DNS && ports.length > 0) ? 'open' : 'unknown'
}

/** Compares ports. The default protocol is TCP. */
function allows(one: Tree, { protocol, number }: Port): Reach['kind'] {
  if ((textAt(one, 'protocol') ?? 'TCP') !== protocol) return 'closed'
  const [first, last] = [at(one, 'port') ?? undefined, at(one, 'endPort')]
  if (first === undefined || number === null) return 'open'
  // A port name refers to a port of the target pods.
  if (typeof first !== 'number') return 'unknown'
  return number >= first && number <= (typeof last === 'number' ? last : first) ? 'open' : 'closed'
}

/** Returns true if all addresses are allowed without exceptions. Exceptions are usually private addresses. */
function isForAll(peers: readonly Tree[]): boolean {
  const isAll = (peer: Tree) => textAt(peer, 'ipBlock', 'cidr') === '0.0.0.0/0'
  return peers.length === 0 || peers.some((peer) => isAll(peer) && listAt(peer, 'ipBlock', 'except').length === 0)
}
