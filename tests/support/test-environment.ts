/**
 * Jest's Node.js environment with an ordinary global object. Jest's own global object has interceptors, which make every
 * access to a global (`Array`, `JSON`, `Math`) about 100 times slower and the property tests twice as slow.
 */
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const { createContext } = vm;

export default class FastGlobalsEnvironment extends TestEnvironment {
  constructor(...parameters: ConstructorParameters<typeof TestEnvironment>) {
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...parameters);
    } finally {
      vm.createContext = createContext;
    }
  }
}
