// Definitions of the custom resources that k8s/ uses, out of the Go modules of their operators.
import { join } from 'node:path';
import { moduleFolder } from './go-module.mjs';

const definitions = [
  {
    module: 'github.com/kedacore/keda/v2@v2.21.0',
    folder: 'config/crd/bases',
    files: ['keda.sh_scaledobjects.yaml'],
  },
  {
    module: 'sigs.k8s.io/gateway-api@v1.6.3',
    folder: 'config/crd/standard',
    files: ['gateway.networking.k8s.io_gateways.yaml', 'gateway.networking.k8s.io_httproutes.yaml'],
  },
  {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    folder: 'example/prometheus-operator-crd',
    files: ['monitoring.coreos.com_podmonitors.yaml', 'monitoring.coreos.com_prometheusrules.yaml'],
  },
  {
    module: 'github.com/mongodb/mongodb-kubernetes-operator@v0.13.0',
    folder: 'config/crd/bases',
    files: ['mongodbcommunity.mongodb.com_mongodbcommunity.yaml'],
  },
];

export const definitionFiles = async () => {
  const files = [];
  for (const { module, folder, files: names } of definitions) {
    const dir = await moduleFolder(module);
    for (const name of names) files.push(join(dir, folder, name));
  }
  return files;
};

/** Of the Redis operator: no module with them could be fetched. `API version kind`. */
export const withoutDefinition = [
  'redis.redis.opstreelabs.in/v1beta2 RedisReplication',
  'redis.redis.opstreelabs.in/v1beta2 RedisSentinel',
];
