/** Whether the NetworkPolicies of Kubernetes let pods reach the server. */
import { type ClusterObject, inSameNamespace } from './kubernetes-objects.ts'
import { at, listAt, type Tree, textAt } from './tree.ts'

/**
 * `open`: none keeps the pods from it. `closed`: no rule lets them connect to that port, or ask for the address. `unknown`: what rules
 * say of addresses and pods is not held against the server.
 */
export interface Reach {
  readonly kind: 'open' | 'closed' | 'unknown'
  /** of the policies that choose the pods */
  readonly policies: readonly string[]
}

const DNS_PORT = 53

/** @param labels of the pods. @param server the URL that is pinged */
export function reachOf(policies: readonly ClusterObject[], cronJob: ClusterObject, labels: Tree, server: URL): Reach {
  const choosing = policies.filter((policy) => inSameNamespace(policy, cronJob) && restricts(policy.tree, labels))
  const names = choosing.map(({ name }) => name)
  if (choosing.length === 0) return { kind: 'open', policies: names }
  const rules = choosing.flatMap(({ tree }) => listAt(tree, 'spec', 'egress'))
  const port = Number(server.port) || (server.protocol === 'http:' ? 80 : 443)
  const ways = [
    // Behind a service, the port that policies see is that of its pods.
    reachOfPort(rules, isInCluster(server) ? null : port),
    isAddress(server) ? 'open' : reachOfPort(rules, DNS_PORT),
  ]
  if (ways.includes('closed')) return { kind: 'closed', policies: names }
  return { kind: ways.includes('unknown') ? 'unknown' : 'open', policies: names }
}

/** A host that only the DNS servers of the cluster know. */
export function isInCluster({ hostname }: URL): boolean {
  return /\.svc$|\.cluster\.local$|^[^.:]+$/.test(hostname)
}

const isAddress = ({ hostname }: URL) => /^\[|^[\d.]+$/.test(hostname)

/** What connections leave. Without `policyTypes`, a policy with `egress` restricts them. */
function restricts(policy: Tree, labels: Tree): boolean {
  const types = listAt(policy, 'spec', 'policyTypes')
  const isOfEgress = types.length > 0 ? types.includes('Egress') : at(policy, 'spec', 'egress') != null
  return isOfEgress && chooses(at(policy, 'spec', 'podSelector'), labels)
}

/** A selector without terms chooses all pods. */
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

/** Rules are added up: one that lets everything through is enough. */
function reachOfPort(rules: readonly Tree[], port: number | null): Reach['kind'] {
  const letting = rules.filter((rule) => port === null || hasPort(listAt(rule, 'ports'), port))
  if (letting.length === 0) return 'closed'
  // DNS servers are those of the cluster, which a rule for port 53 is about.
  return port === DNS_PORT || letting.some((rule) => isForAll(listAt(rule, 'to'))) ? 'open' : 'unknown'
}

function hasPort(ports: readonly Tree[], wanted: number): boolean {
  if (ports.length === 0) return true
  return ports.some((one) => {
    const [first, last] = [at(one, 'port'), at(one, 'endPort')]
    // A name is that of a port of the pod on the other side.
    if (typeof first !== 'number') return true
    return wanted >= first && wanted <= (typeof last === 'number' ? last : first)
  })
}

function isForAll(peers: readonly Tree[]): boolean {
  return (
    peers.length === 0 || peers.some((peer) => /^(?:0\.0\.0\.0|::)\/0$/.test(textAt(peer, 'ipBlock', 'cidr') ?? ''))
  )
}
