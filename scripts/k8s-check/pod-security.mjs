// The Pod Security standard `restricted`, as kubernetes.io documents it (it has all of `baseline`), rule by rule: [what it wants, whether a pod holds it,
// how a pod breaks it]. The last is the control: each is tried in each run, and has to be refused.

const containersOf = ({ containers, initContainers = [], ephemeralContainers = [] }) => [
  ...containers,
  ...initContainers,
  ...ephemeralContainers,
];
const each = (holds) => (pod) => containersOf(pod).every((one) => holds(one.securityContext ?? {}, one));
/** Of the pod, and of each container. */
const everywhere = (holds) => (pod) =>
  holds(pod.securityContext ?? {}) && each((context) => holds(context))(pod);
/** A container's own word counts, else the pod's. */
const inForce = (holds) => (pod) => each((context) => holds({ ...pod.securityContext, ...context }))(pod);

const isOneOf = (value, allowed) => value === undefined || allowed.includes(value);
const seLinuxTypes = ['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t'];
const isPlainSeLinux = ({ type, user, role } = {}) => isOneOf(type, seLinuxTypes) && !user && !role;
const safeSysctls = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
];
const volumeTypes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];
const handlersOf = ({ startupProbe, livenessProbe, readinessProbe, lifecycle = {} }) =>
  [startupProbe, livenessProbe, readinessProbe, lifecycle.postStart, lifecycle.preStop].filter(Boolean);
const asksOneself = ({ httpGet, tcpSocket }) => !httpGet?.host && !tcpSocket?.host;

const first = ({ containers }) => containers[0];
const contextOf = (pod) => first(pod).securityContext;

const rules = [
  [
    'no namespace of the host',
    (pod) => !pod.hostNetwork && !pod.hostPID && !pod.hostIPC,
    (pod) => (pod.hostPID = true),
  ],
  ['no privileges', each(({ privileged }) => !privileged), (pod) => (contextOf(pod).privileged = true)],
  [
    'no process of a Windows host',
    everywhere(({ windowsOptions }) => !windowsOptions?.hostProcess),
    (pod) => (contextOf(pod).windowsOptions = { hostProcess: true }),
  ],
  [
    'no capability but NET_BIND_SERVICE',
    each(({ capabilities }) => (capabilities?.add ?? []).every((name) => name === 'NET_BIND_SERVICE')),
    (pod) => (contextOf(pod).capabilities.add = ['NET_RAW']),
  ],
  [
    'all capabilities dropped',
    each(({ capabilities }) => capabilities?.drop?.includes('ALL')),
    (pod) => (contextOf(pod).capabilities.drop = ['NET_RAW']),
  ],
  [
    'only harmless kinds of volumes',
    ({ volumes = [] }) =>
      volumes.every((one) => Object.keys(one).every((key) => key === 'name' || volumeTypes.includes(key))),
    (pod) => (pod.volumes = [{ name: 'host', hostPath: { path: '/' } }]),
  ],
  [
    'no port of the host',
    each((_, { ports = [] }) => ports.every(({ hostPort }) => !hostPort)),
    (pod) => (first(pod).ports = [{ containerPort: 80, hostPort: 80 }]),
  ],
  [
    'probes and hooks ask the pod itself',
    each((_, one) => handlersOf(one).every(asksOneself)),
    (pod) => (first(pod).readinessProbe = { tcpSocket: { host: '10.0.0.1', port: 80 } }),
  ],
  [
    'no AppArmor profile of its own',
    everywhere(({ appArmorProfile }) => isOneOf(appArmorProfile?.type, ['RuntimeDefault', 'Localhost'])),
    (pod) => (contextOf(pod).appArmorProfile = { type: 'Unconfined' }),
  ],
  [
    'no SELinux user, role or type of its own',
    everywhere(({ seLinuxOptions }) => isPlainSeLinux(seLinuxOptions)),
    (pod) => (pod.securityContext.seLinuxOptions = { type: 'spc_t' }),
  ],
  [
    'the usual /proc',
    each(({ procMount }) => isOneOf(procMount, ['Default'])),
    (pod) => (contextOf(pod).procMount = 'Unmasked'),
  ],
  [
    'only safe sysctls',
    ({ securityContext: { sysctls = [] } = {} }) => sysctls.every(({ name }) => safeSysctls.includes(name)),
    (pod) => (pod.securityContext.sysctls = [{ name: 'kernel.msgmax', value: '1' }]),
  ],
  [
    'no escalation of privileges',
    each(({ allowPrivilegeEscalation }) => allowPrivilegeEscalation === false),
    (pod) => delete contextOf(pod).allowPrivilegeEscalation,
  ],
  [
    'not as root',
    inForce(({ runAsNonRoot }) => runAsNonRoot === true),
    (pod) => (contextOf(pod).runAsNonRoot = false),
  ],
  ['not as user 0', everywhere(({ runAsUser }) => runAsUser !== 0), (pod) => (contextOf(pod).runAsUser = 0)],
  [
    'a seccomp profile',
    inForce(({ seccompProfile }) => ['RuntimeDefault', 'Localhost'].includes(seccompProfile?.type)),
    (pod) => (pod.securityContext.seccompProfile = { type: 'Unconfined' }),
  ],
];

/** The rules that a pod breaks. */
export const brokenBy = (pod) => rules.filter(([, holds]) => !holds(pod)).map(([rule]) => rule);

/** The rules that would not notice a pod that breaks them. */
export const blindTo = (pod) =>
  rules
    .filter(([rule, , spoil]) => {
      const spoilt = structuredClone(pod);
      spoil(spoilt);
      return !brokenBy(spoilt).includes(rule);
    })
    .map(([rule]) => rule);
