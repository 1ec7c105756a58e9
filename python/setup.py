from setuptools import setup
from wheel.bdist_wheel import bdist_wheel


class OneForAll(bdist_wheel):
    """The module uses the limited API: one wheel serves Python 3.9 and later."""

    def finalize_options(self):
        super().finalize_options()
        self.py_limited_api = "cp39"


setup(cffi_modules=["build_core.py:builder"], cmdclass={"bdist_wheel": OneForAll})
