"""Fast implementations; the public modules hold the mathematics and can be read without these.

Each module stands for a formula that is written out elsewhere, and its tests compare it with that clear version:

    blocks         sums of squares, a few rows at a time            covariance.scatter, duality.gram
    square         X_cᵀX_c or X_cX_cᵀ as a map, formed if it pays   pca.pca_by_covariance, pca.pca_by_svd
    lanczos        leading eigenpairs of a map                      _eigen.top_eigenpairs
    filtered       bottom eigenpairs of a map, by a polynomial      _eigen.bottom_eigenpairs
    dissection     an order that keeps sparse factors small         any other order, and a dense eigenproblem
    neighbors      nearest points, by a tree or by products         all distances, sorted
    ranks          ranks of a few neighbours, by counting           all distances, sorted
    paths          shortest paths by elimination                    graph.floyd_warshall, graph.dijkstra_paths
    interior_point, unfolding, inertia   maximum variance unfolding  mvu.exact_mvu_small, and cvxpy in the tests
    spectraplex    the least quadratic over a set of matrices       Frank and Wolfe's bound, and cvxpy in the tests

It may import `_arrays` and `_eigen`, and the public modules that it serves import it.
"""
