export { runRemoteGateway } from './http/remote/run-remote-gateway.ts'
export type { RemoteGatewayOptions } from './http/remote/remote-gateway-options.ts'
export { runStdioGateway } from './stdio/run-stdio-gateway.ts'
export type { GatewayLimits, GatewayTimings, StdioGatewayOptions } from './stdio/stdio-gateway-options.ts'
